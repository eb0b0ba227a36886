// Shared by all searches for a first solution of a problem. It never changes, except for the flag
// that stops them and the best packing so far.
//
// Items are of three kinds here. *Pieces* may be used anywhere. *Units* are the other items with
// bounds 1..1: they are to be filled, and each has neighbors. The rest carries rules.

#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "cover.hpp"

namespace exactile {

class Ground {
public:
    // `piece`: for each item whether it is a piece. The neighbors of item i are
    // others[first[i] .. first[i + 1]). Throws std::invalid_argument if the arrays are wrong.
    Ground(Cover cover, const std::vector<std::uint8_t>& piece, std::vector<std::int64_t> first,
           std::vector<Index> others);

    const Problem problem;
    const Cover& cover() const { return problem.cover; }
    bool is_piece(Index item) const { return piece_[item] != 0; }
    bool is_unit(Index item) const { return unit_[item] != 0; }
    const std::vector<Index>& units() const { return units_; }
    // The other items that need options.
    const std::vector<Index>& demands() const { return demands_; }
    // How rare a piece of an option is: the sum of -log(options) of its pieces.
    double awkwardness(Index option) const;

    struct Range {
        const Index* first;
        const Index* last;
        const Index* begin() const { return first; }
        const Index* end() const { return last; }
    };
    Range neighbors(Index item) const {
        return {others_.data() + first_[item], others_.data() + first_[item + 1]};
    }
    Range members(Index option) const {
        const Cover& c = problem.cover;
        return {c.members.data() + c.first[option], c.members.data() + c.first[option + 1]};
    }

    // Throws std::invalid_argument unless `order` is a permutation of the units.
    void check_order(const std::vector<Index>& order) const;
    // Whether options are a solution, from the definition.
    bool solves(const std::vector<Index>& options) const;

    // All searches end soon after it is set.
    std::atomic<bool> stop = false;

    // Note a packing: options of which no item is used too often.
    void offer(const std::vector<Index>& options);
    struct Packing {
        std::vector<Index> options;
        Index filled = -1;  // units that it fills
    };
    Packing best() const;

private:
    bool fits(const std::vector<Index>& options, bool whole) const;

    std::vector<std::uint8_t> piece_, unit_;
    std::vector<Index> units_, demands_;
    std::vector<std::int64_t> first_;
    std::vector<Index> others_;
    std::vector<double> rarity_;  // item -> -log(options) of a piece, 0 of others
    mutable std::mutex mutex_;
    Packing best_;
};

}  // namespace exactile
