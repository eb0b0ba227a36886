// Estimates the number of solutions of a cover problem by a sampled frontier.
//
// A state is as in count_plan.hpp, and carries a weight: about how many ways lead to it. States are
// made level by level; equal ones are merged, with the sum of their weights. A level of more states
// than are allowed is thinned: some states are dropped, and the weights of others are raised, so
// that the expected weight of each state does not change. So the expected weight at the end is the
// number of solutions, however many states stay and whichever are preferred, as long as this is
// decided before the random numbers are drawn. If no level is thinned, the weight is the number.
//
// A run that is traced also keeps the ways that led to the states that stayed, each with its share
// of the weight. Followed back from the end, each way with its share as chance, they give
// solutions: the expected weight of every solution is 1, so if a run is chosen by its estimate, all
// solutions are about as likely.
//
// The level of a state is how many items that are anchors have been decided: each of them is used,
// or its block lies behind. So states of a level have about as much before them.

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "balance.hpp"
#include "count_plan.hpp"
#include "deadline.hpp"
#include "dice.hpp"
#include "search.hpp"

namespace exactile {

// Shared by all runs. May be used by several threads.
class SampledPlan {
public:
    // States count the uses of items in supply, which do not decide whether a state has a future.
    SampledPlan(const CountProblem& problem, const std::vector<bool>& supplied);
    SampledPlan(const SampledPlan&) = delete;
    SampledPlan& operator=(const SampledPlan&) = delete;

    const Plan& plan() const { return plan_; }
    std::size_t levels() const { return levels_; }
    std::uint32_t step(std::size_t move) const { return steps_[move]; }

    // Data of a block, made when they are first needed.
    struct Prepared {
        Demands demands;
        std::size_t count;  // moves
        std::size_t words;  // of a set of moves
        // For each bit of a state the moves that it excludes.
        std::vector<std::uint64_t> excluded;
    };
    const Prepared& prepared(std::size_t block) const;

private:
    Plan plan_;
    std::vector<std::uint32_t> steps_;
    std::size_t levels_;
    mutable std::vector<std::once_flag> once_;
    mutable std::vector<Prepared> prepared_;
};

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

// Memory of populations of earlier levels, for those of later ones: new memory costs time.
struct Spare {
    std::vector<std::uint64_t> states, slots;
    std::vector<double> weights;
};

// States of equal length with their blocks and weights, each once; `traced`: with steps to them.
class Population {
public:
    Population(std::size_t words, bool traced, Spare& spare);
    std::uint64_t hash_of(const std::uint64_t* state) const;
    // Load what adding a state of this hash will read: first its slot, then an equal state.
    void prefetch_slot(std::uint64_t hash) const {
        if (!slots_.empty()) __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]);
    }
    void prefetch_state(std::uint64_t hash) const;
    // Add the weight of a step to a state before its block, unless it is new and refused; if equal
    // states are to be merged, with its hash.
    template <typename Refuse>
    void add(const std::uint64_t* state, const Step& step, const std::uint64_t* hash,
             Refuse refuse);
    std::size_t size() const { return weights_.size(); }
    const std::uint64_t* state(std::size_t k) const { return &states_[k * (words_ + 1)]; }
    std::uint32_t block(std::size_t k) const {
        return static_cast<std::uint32_t>(states_[k * (words_ + 1) + words_]);
    }
    double weight(std::size_t k) const { return weights_[k]; }
    const std::vector<double>& weights() const { return weights_; }
    void set_weight(std::size_t k, double weight) { weights_[k] = weight; }
    void scale(double factor);
    // Keep only some states, in their order.
    void select(const std::vector<std::uint32_t>& chosen);
    void forget_places(Spare& spare);  // no state is added any more
    void leave(Spare& spare);          // nor is it used
    void hand_over(Trails& trails);

private:
    struct Link {
        Step step;
        std::uint32_t next;  // to the same state, or kNone
    };

    void place_all();
    void link(std::size_t k, const Step& step);
    void select_links(const std::vector<std::uint32_t>& chosen);

    std::size_t words_;
    bool traced_;
    std::vector<std::uint64_t> states_;  // `words_` each and the block
    std::vector<double> weights_;
    std::vector<std::uint64_t> slots_;  // part of the hash and place + 1, or 0
    std::vector<Link> links_;
    std::vector<std::uint32_t> last_;  // link of each state
};

struct SampledOptions {
    std::uint64_t states;   // of a level that stay
    std::uint64_t endings;  // that stay in the last levels
    std::size_t last;       // how many levels these are
    std::uint64_t most;     // more make a level be thinned before it is complete
    bool merge;             // whether equal states become one
    bool prune;             // whether states without a future are dropped at once
    bool balance;           // whether states stay by balanced measures, or by their weights alone
    bool traced;            // whether solutions can be drawn
};

class SampledRun {
public:
    SampledRun(std::shared_ptr<const SampledPlan> plan, SampledOptions options, std::uint64_t seed);
    SampledRun(const SampledRun&) = delete;
    SampledRun& operator=(const SampledRun&) = delete;

    // Work on for some seconds; whether it is over.
    bool advance(double seconds);

    // When it is over: the estimate is mantissa * 2^exponent.
    double mantissa() const { return total_; }
    int exponent() const { return exponent_; }
    bool thinned() const { return thinned_; }  // if not, the estimate is exact but for rounding
    std::uint64_t made() const { return made_; }
    std::size_t reached() const { return reached_; }  // the last level with a state

    // When it is over, was traced, and the estimate is not 0: solutions, as options.
    Paths draw(std::size_t number, std::uint64_t seed) const;

private:
    struct Arrived {  // and its state is in `arrived_states_`
        Step step;
        std::size_t level;
        std::uint64_t hash;
    };

    std::uint64_t allowed(std::size_t level) const;
    Population& at(std::size_t level);
    void expand(std::size_t k);
    void arrive(std::size_t block, std::uint64_t* state, std::size_t level, const Step& step);
    void add_arrived();
    void thin(std::size_t level, std::uint64_t most);
    void rescale();

    std::shared_ptr<const SampledPlan> shared_;
    const Plan& plan_;
    SampledOptions options_;
    Dice dice_;
    Balance balance_;
    std::vector<double> measures_;  // of the states that are thinned
    std::vector<std::unique_ptr<Population>> open_;
    Spare spare_;
    std::size_t level_ = 0, place_ = 0, block_ = 0;
    bool begun_ = false;  // the present level has been thinned
    std::vector<std::uint64_t> next_, free_;
    std::vector<Arrived> arrived_;  // from the state that is expanded
    std::vector<std::uint64_t> arrived_states_;
    std::vector<Demands::Hints> hints_;  // of each block
    Trails trails_;
    std::size_t passed_ = 0;  // traced states of earlier levels
    std::vector<Step> ends_;
    double total_ = 0;
    int exponent_ = 0;
    bool thinned_ = false, over_ = false;
    std::uint64_t made_ = 0;
    std::size_t reached_ = 0;
};

}  // namespace exactile
