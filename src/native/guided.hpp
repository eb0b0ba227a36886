// Estimates the number of solutions by a sampled frontier that knows what its states are worth.
//
// A state is a node of the automaton of fronts (front_automaton.hpp) and a key of what is used of
// the supply. As in sampled.hpp, equal states are one with the sum of their weights, and levels are
// thinned so that the expected weight of each state stays what it was. But states are preferred by
// their weight times their potential: an estimate of how many ways there are to complete them.
//
// Potentials come from the paths of the automaton, whose numbers are known exactly, though most of
// them use too much of one item and too little of another. Each use of an item gets a factor, and
// the factors are fitted so that on average a path uses each item as often as it has to be used.
// For each node then it is known how much paths weigh from there on, and for each item alone how
// likely they use it 0, 1, ... times. The potential of a state is the product of these: as if items
// did not depend on each other. Potentials only decide which states are preferred. A state
// is dropped for good only if some item cannot be used as often as it has to be, by any path.
//
// From the end back, as far as they are few, all ways to complete nodes are listed by their keys:
// states that come there are looked up.

#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "count_plan.hpp"
#include "deadline.hpp"
#include "dice.hpp"
#include "front_automaton.hpp"
#include "front_parts.hpp"
#include "front_supply.hpp"

namespace exactile {

struct GuideLimits {
    std::uint64_t nodes;    // of the automaton
    std::uint64_t bytes;    // of automaton and potentials
    std::uint64_t endings;  // entries of lists from the end back
};

// What all runs have in common. When it is done, it may be used by several threads.
class Guide {
public:
    enum class Status { building, done, too_large };

    Guide(const CountProblem& problem, const std::vector<bool>& supplied, GuideLimits limits);
    Guide(const Guide&) = delete;
    Guide& operator=(const Guide&) = delete;

    Status build(double seconds);  // work on for some seconds

    // When it is done.
    std::size_t levels() const { return levels_.size(); }
    std::uint32_t nodes() const { return static_cast<std::uint32_t>(level_.size()); }
    std::uint64_t endings() const { return endings_.size(); }
    std::uint64_t bytes() const;

private:
    friend class GuidedRun;

    // Passes over all nodes, from the end to the start or from the start to the end.
    enum class Pass { paths, ways, uses, shares, worths };

    struct Item {  // that is in supply; its part of a key, and of the rows of nodes
        std::size_t shift;
        std::uint64_t upper, weight, mask;
        std::size_t place;

        std::uint64_t uses(Key key) const { return key >> shift & mask; }
    };
    // Neighbouring items whose parts of a key together are few bits: one table has them all.
    struct Group {
        std::size_t begin, end, shift;
        Key mask;
    };
    struct Ending {
        Key key;
        double ways;
    };
    struct Span {
        std::uint32_t begin = 0, end = 0;
    };
    using Listed = std::vector<Ending>;

    bool listed(std::uint32_t node) const { return level_[node] >= cut_; }
    const float* row(std::uint32_t node) const { return &rows_[node * row_size_]; }
    void lay_out_items();
    void lay_out();
    bool weigh(std::vector<std::uint64_t>& weight) const;
    void list_endings();
    void visit(std::uint32_t node);
    void end_pass();
    bool begins_at_end() const { return pass_ != Pass::uses; }
    void begin(Pass pass);
    double paths_of(std::uint32_t node) const;
    double ways_of(std::uint32_t node) const;
    void pass_on(std::uint32_t node);
    void share(std::uint32_t node);
    void judge(std::uint32_t node);
    void fit(double exponent);
    bool refit();
    void set_factors();
    double factor(Key key) const;
    template <typename T, typename Value, typename Join>
    void tabulate(const Group& group, T none, Value value, Join join, std::vector<T>& table) const;

    GuideLimits limits_;
    Status status_ = Status::building;
    std::unique_ptr<Automaton> automaton_;
    Supply supply_{{}, {}, {}};
    std::vector<Label> labels_;
    std::vector<Item> items_;
    std::vector<Group> groups_;
    std::size_t row_size_ = 0;

    Edges out_, in_;
    std::vector<std::uint32_t> level_;                // of each node
    std::vector<std::vector<std::uint32_t>> levels_;  // nodes by level
    std::uint32_t longest_ = 0;                       // levels that an edge spans
    bool even_ = false;                               // whether all paths weigh the same

    std::uint32_t cut_ = 0;  // from this level on endings are listed
    Listed endings_;         // of each node by increasing keys
    std::vector<Span> span_;
    std::vector<bool> entered_;  // whether an edge leads from a node before the cut to it

    Pass pass_ = Pass::paths;
    std::uint32_t left_ = 0;  // nodes that the pass still has before it
    int fits_ = 0;
    std::vector<double> factors_;                     // of one use of each item
    std::vector<double> label_factor_, label_share_;  // and how much goes through each label
    std::vector<std::vector<double>> group_factor_;
    std::vector<double> used_;           // uses of each item on average, of listed endings
    std::vector<double> ways_, before_;  // weight of all paths from each node on, and to it
    std::vector<float> rows_;   // how likely each number of uses is; then potentials, in bits
    std::vector<float> worth_;  // what a node is worth whatever is used, in bits
    std::vector<float> moved_;
};

class GuidedRun {
public:
    // `states` of a level stay; `most` make a level be thinned before it is complete.
    GuidedRun(std::shared_ptr<const Guide> guide, std::uint64_t states, std::uint64_t most,
              std::uint64_t seed);
    GuidedRun(const GuidedRun&) = delete;
    GuidedRun& operator=(const GuidedRun&) = delete;

    // As of SampledRun.
    bool advance(double seconds);
    double mantissa() const { return total_; }
    int exponent() const { return exponent_; }
    bool thinned() const { return thinned_; }
    std::uint64_t made() const { return made_; }
    std::size_t reached() const { return reached_; }

private:
    struct State {
        Key key;
        double weight;
    };
    // The states that are made of a node, each key once; a weight of 0 is an empty place.
    class Table {
    public:
        void reset(std::size_t expected);
        void add(Key key, double weight);
        std::size_t size() const { return size_; }
        template <typename Use>
        void each(Use use) const {
            for (std::size_t k = 0; k < capacity_; ++k)
                if (places_[k].weight != 0) use(places_[k]);
        }

    private:
        void grow();

        std::vector<State> places_, old_;
        std::size_t capacity_ = 0, size_ = 0;
        int shift_ = 0;
    };

    void begin_node();
    void pull(std::uint64_t edge);
    void meet(const State* states, std::size_t count, const Label& label);
    void put();
    void thin();
    void end_level();
    void rescale();
    double ways(std::uint32_t node, Key key) const;

    std::shared_ptr<const Guide> shared_;
    const Guide& guide_;
    std::uint64_t states_, most_;
    Dice dice_;
    std::vector<std::vector<State>> open_;       // by level; of a level node by node
    std::vector<std::pair<std::uint32_t, std::uint32_t>> place_;  // of each node: first and number
    std::vector<float> measure_;  // of the states of the present level, in bits
    std::vector<float> linear_;
    std::vector<std::vector<float>> group_worth_;
    Table table_;
    std::uint32_t level_ = 0, number_ = 0;  // of a node in its level
    std::uint64_t edge_ = 0, last_edge_ = 0;
    std::uint64_t work_ = 0;  // since the clock was read
    double total_ = 0;
    int exponent_ = 0;
    bool thinned_ = false, over_ = false;
    std::uint64_t made_ = 0;
    std::size_t reached_ = 0;
};

}  // namespace exactile
