// The states of a level of a sampled frontier, with their weights.
//
// They are listed as they come, in memory that is written from one end to the other, and equal ones
// are merged all at once: finding a place in a large table for each would wait for the memory.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "dice.hpp"
#include "equal_rows.hpp"

namespace exactile {

// How a state was reached: from which one, by which move, and what that adds to its weight.
struct Step {
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    double weight;
    std::uint32_t before, move;
};

// The steps to the states that stayed, state by state in the order of levels.
struct Trails {
    std::vector<std::size_t> first;  // step of each state
    std::vector<Step> steps;

    // One of the steps to a state, by their weights.
    const Step& step_to(std::uint32_t state, Dice& dice) const;
};

// What is known of the states of a level, side by side; there may be room for more of them.
struct StateRows {
    std::vector<std::uint64_t> states;  // each with its block behind it
    std::vector<double> weights;
    std::vector<std::uint32_t> moves;   // by which they were made first
    std::vector<std::uint32_t> before;  // from which states, if traced
};

// Memory of earlier levels, for later ones: new memory costs time.
class Spare {
public:
    void give(StateRows rows);
    // The smallest with room for as many; if there is none, the largest is given up for a new one.
    StateRows take(std::size_t room);

private:
    std::vector<StateRows> rows_;  // smaller ones first
};

// States of equal length with their blocks and weights; `traced`: with steps to them.
class Population {
public:
    // At most `most` states are added before they are merged and some of them selected.
    Population(std::size_t words, std::uint64_t most, bool traced, Spare& spare);
    void add(const std::uint64_t* state, std::uint32_t block, const Step& step);
    // Merge equal states, with the sum of their weights; without `equal` all count as different.
    void merge(EqualRows* equal);
    std::size_t size() const { return size_; }
    std::size_t merged() const { return merged_; }  // the first ones, which are different
    const std::uint64_t* state(std::size_t k) const { return &rows_.states[k * (words_ + 1)]; }
    std::uint32_t block(std::size_t k) const {
        return static_cast<std::uint32_t>(rows_.states[k * (words_ + 1) + words_]);
    }
    std::uint32_t move(std::size_t k) const { return rows_.moves[k]; }
    double weight(std::size_t k) const { return rows_.weights[k]; }
    std::span<const double> weights() const { return {rows_.weights.data(), size_}; }
    void set_weight(std::size_t k, double weight) { rows_.weights[k] = weight; }
    void scale(double factor);
    // Keep only some states, in their order; all have been merged.
    void select(const std::vector<std::uint32_t>& chosen);
    void leave() { spare_.give(std::move(rows_)); }  // for good
    void hand_over(Trails& trails);

private:
    struct Link {
        Step step;
        std::uint32_t next;  // to the same state, or kNone
    };

    StateRows rows_for(std::size_t room);
    void grow();
    void trace(const std::uint32_t* first);
    void link(std::size_t k, const Step& step);
    void select_links(const std::vector<std::uint32_t>& chosen);

    std::size_t words_;
    std::uint64_t most_;
    bool traced_;
    Spare& spare_;
    StateRows rows_;
    std::size_t size_ = 0;
    std::size_t merged_ = 0;  // these are different
    std::vector<Link> links_;
    std::vector<std::uint32_t> last_;  // link of each state that has been merged
};

inline void Population::add(const std::uint64_t* state, std::uint32_t block, const Step& step) {
    if (size_ == rows_.moves.size()) grow();
    std::uint64_t* const row = &rows_.states[size_ * (words_ + 1)];
    for (std::size_t w = 0; w < words_; ++w) row[w] = state[w];
    row[words_] = block;
    rows_.weights[size_] = step.weight;
    rows_.moves[size_] = step.move;
    if (traced_) rows_.before[size_] = step.before;
    ++size_;
}

}  // namespace exactile
