// The value of the states of a sampled frontier.
//
// A state is a node of the automaton of a frontier (front_automaton.hpp) and a key of what is used
// of the supply. As in sampled.hpp, equal states are one with the sum of their weights, and levels
// are thinned so that the expected weight of each state stays what it was. But states are preferred
// by their weight times their potential: an estimate of how many ways there are to complete them.
//
// Potentials come from the paths of the automaton, whose numbers are known exactly, though most of
// them use too much of one item and too little of another. Each use of an item gets a factor, and
// the factors are fitted so that on average a path uses each item as often as it has to be used.
// Then, for each node, the weight of the paths from there on is known, and for each item alone how
// likely they use it 0, 1, ... times. The potential of a state is the product of these: as if items
// did not depend on each other. Potentials only decide which states are preferred. A state is
// dropped for good only if no path uses some item as often as it has to be used.
//
// Near the end, as long as they are few, all ways to complete a node are listed by their keys;
// states that arrive there are looked up.

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "count_plan.hpp"
#include "deadline.hpp"
#include "front_automaton.hpp"
#include "front_parts.hpp"
#include "front_supply.hpp"

namespace exactile {

struct GuideLimits {
    std::uint64_t nodes;    // of the automaton
    std::uint64_t bytes;    // of automaton and potentials
    std::uint64_t endings;  // entries of lists from the end back
};

// Shared by all runs. When it is done, it may be used by several threads.
class Guide {
public:
    enum class Status { building, done, too_large };

    Guide(const CountProblem& problem, const std::vector<bool>& supplied, GuideLimits limits);
    Guide(const Guide&) = delete;
    Guide& operator=(const Guide&) = delete;

    Status build(double seconds);  // work on for some seconds
    // Nodes that were made, before any were dropped; when it is done or too large.
    std::uint64_t met() const { return met_; }

    // When it is done.
    std::size_t levels() const { return levels_.size(); }
    std::uint32_t nodes() const { return static_cast<std::uint32_t>(level_.size()); }
    std::uint64_t endings() const { return endings_.size(); }
    std::uint64_t bytes() const;

private:
    friend class GuidedRun;

    static constexpr float kNever = -std::numeric_limits<float>::infinity();

    // Passes over all nodes, from the end to the start or from the start to the end.
    enum class Pass { paths, ways, uses, shares, worths };

    struct Item {  // that is in supply; its part of a key, and of the rows of nodes
        std::size_t shift;
        std::uint64_t upper, weight, mask;
        std::size_t place;

        std::uint64_t uses(Key key) const { return key >> shift & mask; }
        std::uint64_t weighs(bool even) const { return even ? weight : 1; }
    };
    // Neighboring items whose parts of a key together are few bits: one table has them all.
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
    void scale(double exponent);
    void refit();
    void set_factors();
    double factor(Key key) const;
    template <typename T, typename Value, typename Join>
    void tabulate(const Group& group, T none, Value value, Join join, std::vector<T>& table) const;

    GuideLimits limits_;
    Status status_ = Status::building;
    std::unique_ptr<Automaton> automaton_;
    std::uint64_t met_ = 0;
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
    bool fitted_ = false;
    double power_ = 0.8;           // exponent of the corrections of factors
    std::vector<double> factors_;  // of one use of each item
    struct {
        double height = std::numeric_limits<double>::infinity(), exponent = 0;
        std::vector<double> factors, used;
    } best_;
    std::vector<double> label_factor_, label_share_;  // and how much goes through each label
    std::vector<std::vector<double>> group_factor_;
    std::vector<double> used_;           // uses of each item on average, of listed endings
    std::vector<double> ways_, before_;  // weight of all paths from each node on, and to it
    std::vector<float> rows_;   // how likely each number of uses is; then potentials, in bits
    std::vector<float> worth_;  // what a node is worth whatever is used, in bits
    std::vector<float> moved_;
};

template <typename T, typename Value, typename Join>
void Guide::tabulate(const Group& group, T none, Value value, Join join,
                     std::vector<T>& table) const {
    table.assign(1, none);
    for (std::size_t i = group.begin; i < group.end; ++i) {
        const std::size_t size = table.size();
        // Numbers of uses beyond the upper bound never come up.
        table.resize(
            group.end - group.begin == 1 ? items_[i].upper + 1 : size * (items_[i].mask + 1), none);
        for (std::uint64_t n = items_[i].upper + 1; n-- > 0;) {
            const T here = value(items_[i], n);
            for (std::size_t k = 0; k < size; ++k) table[n * size + k] = join(table[k], here);
        }
    }
}

}  // namespace exactile
