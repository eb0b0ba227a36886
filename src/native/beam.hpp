// A beam along a sweep: many partial solutions side by side, each fills its first open unit.
//
// A level is one more option. Children are ranked twice: roughly, by what follows from the
// option alone, and then by what it leaves alive. Equal states are merged. Each state has its live
// options as bits and the number of them with each item, kept up to date: an option that dies
// costs as many steps as it has items, and no state is ever counted anew.

#pragma once

#include <cstdint>
#include <vector>

#include "dice.hpp"
#include "ground.hpp"

namespace exactile {

struct BeamSetting {
    Index width = 40;
    Index children = 4;    // evaluated exactly, as a multiple of the width
    double rest = 0;       // end when states have on average this many open units
    bool lenient = false;  // pieces may be used too often, others never; both at a penalty
};

// A state at the end of a beam.
struct Survivor {
    std::vector<Index> chosen;  // options
    std::vector<Index> live;    // options that can still be chosen
    std::vector<Index> used;    // how often each item is used
    double score = 0;
};

class Beam {
public:
    Beam(const Ground& ground, const std::vector<Index>& order, const BeamSetting& setting,
         Dice& dice);

    // The survivors, the best first; none if all states died or the search was stopped.
    std::vector<Survivor> run();
    // Mean number of open units at the end.
    double open() const;
    // A measure of the time taken: options that died, and words copied.
    std::uint64_t work() const { return work_; }

private:
    using Word = std::uint64_t;
    struct State {
        std::vector<Word> live;    // of the options in the order of the sweep
        std::vector<Index> count;  // slot -> live options with it
        std::vector<Index> used;   // item -> uses
        std::vector<Index> chosen;
        std::size_t front = 0;  // place of the first open unit
        Index open = 0;         // open units
        double quick = 0;
        double score = 0;
        std::uint64_t hash = 0;
    };
    struct Child {
        std::size_t parent;
        std::size_t place;  // of the option
        double quick;
        double score;
        std::uint64_t hash;
    };

    void sort_options(const std::vector<Index>& order);
    State root();
    bool at_end() const;
    void branch(std::size_t parent);
    void add_child(std::size_t parent, std::size_t place, double penalty);
    static bool is_live(const State& state, std::size_t place);
    bool has_room(const State& state, std::size_t place) const;
    bool can_be_paid(const State& state, Index unit) const;
    double perimeter(const State& state, Index option);
    void prune();
    void keep();
    void copy(const State& from, State& to);
    void choose(State& state, std::size_t place);
    void strike(State& state, std::size_t place);
    void strike_rivals(State& state, Index slot);
    void advance(State& state) const;
    double judge(const State& state) const;
    double logarithm(Index count) const;

    const Ground& ground_;
    const BeamSetting setting_;
    Dice& dice_;
    std::size_t width_;
    std::vector<Index> order_;        // units in the order of the sweep
    std::vector<Index> option_;       // place -> option; options are placed by their first unit
    std::vector<std::size_t> start_;  // place of a unit -> place of its first option
    std::vector<std::size_t> first_;  // place of an option -> its slots in slots_
    std::vector<Index> slots_;
    std::vector<std::size_t> begin_;  // item -> its options in places_
    std::vector<Index> places_;
    std::vector<std::uint64_t> code_;  // slot -> its part of a state's hash
    std::vector<double> logs_;
    std::vector<std::uint64_t> mark_;  // item -> last time that it was in an option
    std::uint64_t time_ = 0;
    std::vector<State> states_, next_;
    std::vector<Child> children_;
    State scratch_;
    std::uint64_t work_ = 0;
};

}  // namespace exactile
