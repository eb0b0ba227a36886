// Counts the solutions of a cover problem by a frontier.
//
// First the automaton of the frontier is built (front_automaton.hpp). Then every node gets a list:
// for each key, what is used of the supply, the number of ways from the start to the node that use
// it; or, from the other side, the number of ways from the node to the end. Lists are made from
// both sides, level by level, by the side whose lists take less room, until they meet. Each edge
// from one half to the other, with two keys that make up the supply together with its label, stands
// for the product of both numbers of ways: the sum over all is the number of solutions.
//
// All nodes of a level can be worked on at once. Lists are dropped when the last level that reads
// them is finished. Everything runs in slices, and what is known between two of them can be saved.
//
// If all lists are kept, solutions have numbers, for which one goes back along the lists from the
// join to both ends (front_unrank.cpp); and when the lists of both sides are made for all nodes,
// the join of all edges says how many solutions contain each option.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "count_plan.hpp"
#include "deadline.hpp"
#include "front_automaton.hpp"
#include "front_lists.hpp"
#include "front_parts.hpp"
#include "front_worker.hpp"

namespace exactile {

struct FrontLimits {
    std::uint64_t nodes;       // of the automaton
    std::uint64_t bytes;       // memory
    std::uint64_t list_bytes;  // of it for lists, at most
    int workers;               // threads
    std::string directory;     // for lists beyond the memory; none if empty
    bool keep = false;         // all lists, for unrank and tally
    bool one_sided = false;    // lists from the start only, up to the end: for by_uses
};

class FrontCounter {
public:
    enum class Status { building, counting, done, too_large, out_of_memory };

    // `supplied`: for each item whether it is kept in lists rather than in the automaton. The
    // number of solutions does not depend on this.
    FrontCounter(const CountProblem& problem, const std::vector<bool>& supplied,
                 FrontLimits limits);
    ~FrontCounter();
    FrontCounter(const FrontCounter&) = delete;
    FrontCounter& operator=(const FrontCounter&) = delete;

    // Work on for `seconds`, or until the automaton is built, or to the end.
    Status build(double seconds);
    Status run(double seconds);

    std::vector<Limb> total() const;  // when it is done
    std::size_t limbs() const { return total_.size(); }

    // When it is done and lists are kept: the options of the solution of a number below the total,
    // in increasing order. The number has limbs() limbs.
    std::vector<Index> unrank(const Limb* number);
    // Work on for `seconds` on how many solutions contain each option; whether that is known.
    bool tally(double seconds);
    const Sums& tallies() const { return tallies_; }  // by option
    std::size_t items() const { return items_; }
    std::size_t options() const { return options_; }

    // When it is done one-sided: for each way to use the supply, how often each item of the problem
    // is used, and how many solutions use it so.
    void by_uses(const std::function<void(const std::vector<std::uint64_t>&, Limbs)>& use) const;
    Status status() const { return status_; }

    // When the automaton is built: an upper bound of the entries of lists.
    double bound() const { return bound_; }
    double done() const;  // the part of the work that is done, by the bound
    std::uint64_t nodes() const { return front_->nodes(); }  // none before it is built
    std::uint64_t edges() const { return front_->out.node.size(); }
    std::uint64_t met_nodes() const { return met_nodes_; }
    std::uint64_t operations() const;
    std::uint64_t entries() const;
    std::uint64_t levels() const { return levels_.size(); }
    std::uint64_t width() const { return width_; }
    std::uint64_t peak_bytes() const;  // of automaton and lists in memory
    std::uint64_t bytes_written() const { return store_ ? store_->written() : 0; }

    // Write all lists to a file, or read them into a counter of the same problem, which must have
    // built its automaton. `tag` identifies the problem. See front_save.cpp.
    void save(const std::string& path, const std::string& tag) const;
    void load(const std::string& path, const std::string& tag);

private:
    enum class Task { forward, backward, join, tally, nothing };

    void prepare();
    void weigh_nodes();
    void give_ranks();
    void set_levels();
    void make_ends();
    bool weighs_evenly() const { return !front_->weight.empty(); }
    void begin_level();
    void begin_lists(Task side);
    void begin_tally();
    void finish_tally();
    void put_ones(Side side, std::uint32_t node, std::vector<Key> keys);
    void give_marks(Parts& parts);
    void work_on_level(Clock::time_point deadline);
    void end_level();
    void drop_read();
    void finish();
    void walk(Side side, std::uint32_t node, Key key, std::vector<Limb> rest,
              std::vector<Index>& solution) const;
    void demand_kept() const;
    std::uint32_t end() const { return static_cast<std::uint32_t>(front_->nodes() - 1); }
    void read_lists(const std::string& path, const std::string& tag);
    void forget_lists();
    void free_room();
    std::uint64_t fixed_bytes() const;  // of what cannot go to disk
    std::uint64_t room_for_lists() const;

    FrontLimits limits_;
    Status status_ = Status::building;
    std::unique_ptr<Automaton> automaton_;
    std::unique_ptr<Front> front_;
    std::unique_ptr<ListStore> store_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::vector<std::uint64_t> item_weights_;
    std::uint64_t met_nodes_ = 0, width_ = 0;
    double bound_ = 0;

    std::vector<std::vector<std::uint32_t>> levels_;  // nodes by level
    std::vector<std::uint32_t> last_reader_;          // level of each node's last successor
    std::vector<std::uint32_t> first_reader_;         // and of its first predecessor
    std::uint32_t longest_ = 0;                       // levels that an edge spans
    std::vector<double> cost_;                        // of each level
    double cost_done_ = 0, cost_of_all_ = 0;
    bool one_sided_ = false;  // too many ways to leave something over: only from the start
    std::uint32_t forward_ = 1, backward_ = 0;  // lists: those below, and those from here on
    std::uint64_t forward_bytes_ = 0, backward_bytes_ = 0;
    Task task_ = Task::nothing;
    std::vector<std::uint32_t> queue_;
    std::atomic<std::size_t> next_ = 0;
    std::vector<Limb> total_;

    std::size_t items_ = 0, options_ = 0;
    std::vector<Index> item_of_;               // in supply
    std::vector<Index> option_of_;             // of each mark, if lists are kept; -1 for none
    std::vector<std::uint32_t> joined_nodes_;  // behind the cut
    Sums joined_;                              // how many solutions go through an edge to each
    Sums tallies_;
    bool tallied_ = false;
};

}  // namespace exactile
