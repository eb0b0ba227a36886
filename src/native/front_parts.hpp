// A cover problem divided: the part for the automaton, and what its options take of the supply.

#pragma once

#include <cstdint>
#include <vector>

#include "count_plan.hpp"
#include "front_automaton.hpp"
#include "front_supply.hpp"

namespace exactile {

struct Parts {
    // `supplied`: for each item whether it is in supply. Throws std::invalid_argument if the arrays
    // are wrong.
    Parts(const CountProblem& problem, const std::vector<bool>& supplied);

    CountProblem
        rest;  // without what is in supply, and without options that take more than there is
    Supply supply{{}, {}, {}};
    std::vector<Index> items;            // in supply, by their numbers in the problem
    std::vector<std::uint64_t> weights;  // of these
    std::vector<Label> labels;
    std::vector<Mark> mark_of;   // for each option of the rest: its label's number
    Mark nothing = 0;            // the label of options that take nothing
    std::vector<Index> options;  // of the problem, for each option of the rest
    bool impossible = false;     // some demand on the supply cannot be met
    bool too_many = false;       // keys do not suffice

private:
    void choose_items(const CountProblem& problem, const std::vector<bool>& supplied);
    void choose_options(const CountProblem& problem, const std::vector<bool>& supplied);
    void weigh();
    void give_labels();

    std::vector<std::uint64_t> uses_;           // of each item, if all options were taken
    std::vector<Index> number_;                 // of each item in the rest, or in supply
    std::vector<std::uint64_t> lower_, upper_;  // of the items in supply
    std::vector<Taking> takings_;               // of each option
    std::vector<std::uint64_t> sizes_;          // how many items used exactly once it covers
};

}  // namespace exactile
