// A part of a problem as a problem of its own: some options, with items and options in any order.
//
// The kernels break ties by the numbers of items and try options by theirs. So a randomized search
// is an ordinary search of an excerpt whose items are numbered by a rank and whose options are
// shuffled; what a partial choice leaves to be done is an excerpt, too, and so is a neighborhood of
// a tiling that is to be filled again.

#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "cover.hpp"
#include "kernels.hpp"

namespace exactile {

// Writes excerpts of one cover, one after the other.
class Excerpt {
public:
    explicit Excerpt(const Cover& whole) : whole_(whole), local_(whole.lower.size(), kAbsent) {}

    // Begin anew, with items in this order; further ones follow as options bring them.
    void begin(const std::vector<Index>& items);
    // Add an item that the whole does not have, and return its number here.
    Index add_item(Index lower, Index upper);
    // Add an option without the items for which `kept` is false, and with the item `extra`, if any.
    template <typename Kept>
    void add(Index option, Kept kept, Index extra = kAbsent);
    void add(Index option) {
        add(option, [](Index) { return true; });
    }
    // Whether an item is here; set the bounds of one that is.
    bool holds(Index item) const { return local_[item] != kAbsent; }
    void bound(Index item, Index lower, Index upper);
    // Every item gets what is left of its bounds after its uses.
    void bound_all(const std::vector<Index>& used);

    Index options() const { return static_cast<Index>(original_.size()); }
    // Search it; the solutions in options of the whole. `nodes` is set to the nodes visited.
    std::vector<std::vector<Index>> search(const Tuning& tuning, std::int64_t solutions,
                                           std::uint64_t& nodes, const std::atomic<bool>& stop);
    // Whether the last search went through all of the excerpt.
    bool exhausted() const { return exhausted_; }
    // The cost of the last search: about the number of words struck.
    std::uint64_t work() const { return work_; }

    static constexpr Index kAbsent = -1;

private:
    Index number(Index item);

    const Cover& whole_;
    std::vector<Index> local_;     // item of the whole -> number here, or kAbsent
    std::vector<Index> items_;     // number here -> item of the whole, or kAbsent
    std::vector<Index> original_;  // option here -> option of the whole
    Cover cover_;
    bool exhausted_ = false;
    std::uint64_t work_ = 0;
};

template <typename Kept>
void Excerpt::add(Index option, Kept kept, Index extra) {
    for (std::int64_t k = whole_.first[option]; k < whole_.first[option + 1]; ++k) {
        if (!kept(whole_.members[k])) continue;
        cover_.members.push_back(number(whole_.members[k]));
        cover_.colors.push_back(whole_.colors[k]);
    }
    if (extra != kAbsent) {
        cover_.members.push_back(extra);
        cover_.colors.push_back(0);
    }
    cover_.first.push_back(static_cast<std::int64_t>(cover_.members.size()));
    original_.push_back(option);
}

}  // namespace exactile
