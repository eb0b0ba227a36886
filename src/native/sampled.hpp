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

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "balance.hpp"
#include "count_plan.hpp"
#include "deadline.hpp"
#include "dice.hpp"
#include "equal_rows.hpp"
#include "population.hpp"
#include "search.hpp"

namespace exactile {

// What a run needs, and leaves to the next one.
struct Workspace {
    Spare spare;
    EqualRows equal;
};

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
    std::size_t block(std::size_t move) const { return block_of_move_[move]; }

    struct Group {
        std::uint32_t word, shift;
    };

    // Data of a block, made when they are first needed.
    struct Prepared {
        Demands demands;
        std::size_t count;  // moves
        std::size_t words;  // of a set of moves
        // Bits of a state side by side, of which some exclude moves, and for each value of each
        // group the moves that it allows.
        int bits;  // of a group
        std::vector<Group> groups;
        std::vector<std::uint64_t> allowed;
    };
    const Prepared& prepared(std::size_t block) const {
        return ready_[block].load(std::memory_order_acquire) ? prepared_[block] : prepare(block);
    }

    std::unique_ptr<Workspace> borrow() const;
    void give_back(std::unique_ptr<Workspace> space) const;

    // Of a block, if states are short: the bits of its anchor, those to be set after it, and those
    // that are forgotten then. The last one, behind all blocks, has no bits.
    const std::uint64_t* passage(std::size_t block) const {
        return &passages_[block * plan_.words * 3];
    }

private:
    const Prepared& prepare(std::size_t block) const;
    void prepare_moves(std::size_t block, Prepared& made) const;

    Plan plan_;
    std::vector<std::uint32_t> steps_, block_of_move_;
    std::size_t levels_;
    std::vector<std::uint64_t> passages_;
    mutable std::vector<std::atomic<bool>> ready_;
    mutable std::vector<std::once_flag> once_;
    mutable std::vector<Prepared> prepared_;
    mutable std::mutex lending_;
    mutable std::vector<std::unique_ptr<Workspace>> spaces_;  // that no run has
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
    using Expand = void (SampledRun::*)(std::size_t);

    static Expand expand_for(std::size_t words);
    std::uint64_t allowed(std::size_t level) const;
    Population& at(std::size_t level);
    template <std::size_t Count>
    void find_free(const SampledPlan::Prepared& prepared, const std::uint64_t* state);
    template <std::size_t Words>
    void expand(std::size_t k);
    template <std::size_t Words>
    bool pass(std::size_t& block, std::uint64_t* state) const;
    void arrive(std::size_t block, const std::uint64_t* state, std::size_t level, const Step& step);
    EqualRows* equal() const { return options_.merge ? &space_->equal : nullptr; }
    bool hopeless(const Population& here, std::size_t k);
    void settle(Population& here);
    void thin(std::size_t level, std::uint64_t most);
    void rescale();
    void finish();

    std::shared_ptr<const SampledPlan> shared_;
    const Plan& plan_;
    SampledOptions options_;
    Expand expand_;
    Dice dice_;
    Balance balance_;
    std::vector<double> measures_;  // of the states that are thinned
    std::vector<std::uint32_t> chosen_;
    std::vector<std::unique_ptr<Population>> open_;
    std::unique_ptr<Workspace> space_;
    std::size_t level_ = 0, place_ = 0;
    bool begun_ = false;  // the present level has been thinned
    std::vector<std::uint64_t> next_, free_;
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
