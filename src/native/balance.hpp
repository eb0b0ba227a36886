// Which states of a sampled frontier are preferred: those that have used what others use too
// seldom.
//
// If states stay by their weights alone, most of them have used what is easily used, and have the
// awkward items left for the end, where they die out. In solutions an item is used anywhere, so
// about as often early as late. So each use of an item in stock gets a factor, and the factors are
// fitted, on some of the states, until on average each item has been used about as far as its
// options have been decided. States are preferred by their weight times their factors, and in part
// by their weight alone: where the factors are wrong, states that hardly ever stay weigh too much.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "count_plan.hpp"

namespace exactile {

class Balance {
public:
    explicit Balance(const Plan& plan);

    // States are given one after the other, each with its block behind it.

    // Fit the factors for a complete level; the fit begins at those of the level before it. A level
    // that is thinned before it is complete has the factors of another one: fitted again and again,
    // they would grow and grow.
    void fit(const std::uint64_t* states, std::span<const double> weights);
    void measure(const std::uint64_t* states, std::span<const double> weights,
                 std::vector<double>& measures);

private:
    void read(const std::uint64_t* states, std::span<const double> weights);
    void tabulate();

    const Plan& plan_;
    std::vector<double> favor_;  // of one use of each item, as a logarithm
    // Of the states that the fit is made on:
    std::vector<double> log_weight_, measure_;
    std::vector<float> uses_;     // of each item, state by state
    std::vector<double> wanted_;  // share of the uses of each item
    std::vector<double> past_;    // favor of what was used before each block and then forgotten
    struct Byte {                 // of the words of a state, and the favor of each of its values
        std::size_t word;
        std::uint32_t shift;
        std::vector<double> favor;
    };
    std::vector<Byte> bytes_;
};

}  // namespace exactile
