// A search that can be stopped, resumed, cut into parts and spread over threads.
//
// A prefix names a subtree. The engine keeps a pool of the prefixes whose subtrees are still to be
// searched. A kernel that is stopped returns the branches that it did not enter as prefixes;
// therefore stopping, resuming, sharing among threads and handing over to another process are
// all the same operation.
//
//     Engine engine(cover, tuning);         // OPEN: the pool holds the whole tree
//     while (!engine.exhausted()) {
//         Limits limits;
//         limits.nodes = 100'000;           // one slice
//         engine.run(limits);               // RUNNING, then OPEN, DONE or FAILED
//         Paths solutions = engine.take(1000);
//         save(engine.prefixes());          // another engine can continue with set_prefixes()
//     }
//
// tests/native/test_engine.py runs this loop with random limits, through Python:
// test_stopped_and_resumed_searches_visit_exactly_the_rest.
//
// States:
//
//     Engine() --> OPEN <---- a limit, or `interrupted` ----+
//                  ^  |                                     |
//                  |  +---------------- run() ----------> RUNNING -- a worker throws --> FAILED
//                  |                                        |
//                  +-- set_prefixes() -- DONE <-- all done -+
//
//     OPEN     prefixes are left to be searched
//     RUNNING  inside run(): other calls block until it returns, except cancel() and cancelled()
//     DONE     no prefix is left; exhausted() is true as soon as all solutions are taken
//     FAILED   run() throws; what was found and what is left can still be read
//
// Cancelling is not a state of its own: it is a flag that stays set, which the caller's
// `interrupted` reads.
//
// Below, *require* is what the caller must provide, and what happens otherwise; *ensure* is what
// holds when the function returns.

#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "kernels.hpp"
#include "search.hpp"

namespace exactile {

// When a run stops, whichever comes first. Without limits it stops when the pool is empty.
struct Limits {
    std::int64_t solutions = std::numeric_limits<std::int64_t>::max();
    std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();  // of each worker
    double seconds = std::numeric_limits<double>::infinity();
    int workers = 1;
    bool ordered = false;  // solutions come in the order of the tree, with any number of workers
    bool keep = true;      // keep the solutions, or only count them
    std::function<bool()> interrupted;  // polled by the caller's thread; true stops the run
};

// All functions may be called from any thread; except cancel() and cancelled(), they wait for the
// end of a present run.
class Engine {
public:
    // require (the arrays of `cover` describe options, the prunings fit its items, and the
    //          instruction set is known; else std::invalid_argument)
    // ensure  (OPEN: one prefix, the whole tree)
    Engine(Cover cover, Tuning tuning);
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    // The prefixes still to be searched, in the order of the tree.
    //
    // ensure  (prefixes and solutions found so far together cover the tree exactly once)
    std::vector<Prefix> prefixes() const;

    // Replace the prefixes still to be searched. Solutions not taken yet, and the counters, stay.
    //
    // require (every move names an option of the cover; else std::invalid_argument, and nothing
    //          has changed)
    // require (no prefix contradicts itself; else the run that reaches it throws, and FAILED)
    // require (no prefix begins with another one; not checked: solutions would come twice)
    // ensure  (prefixes() returns these, sorted)
    void set_prefixes(std::vector<Prefix> prefixes);

    // Search until a limit is reached, `interrupted` returns true or the pool is empty. Returns at
    // once if the pool is empty or `limits.solutions` solutions can be taken already. Uses at most
    // kMostWorkers threads, and fewer where the system has no more.
    //
    // require (limits.workers >= 1; else std::invalid_argument)
    // require (not FAILED; else std::runtime_error)
    // ensure  (OPEN or DONE; or FAILED: the exception of a worker is thrown again)
    // ensure  (each node is visited at most once in all runs together, each solution found once)
    void run(const Limits& limits);

    // Set a flag. It never clears, and stops a run only if `interrupted` reads it.
    //
    // ensure  (cancelled())
    void cancel() { cancelled_ = true; }
    bool cancelled() const { return cancelled_; }

    // Remove up to `limit` solutions and return them, each as its options in increasing order.
    // After an ordered run, a solution is held back until everything before it is searched.
    //
    // ensure  (a solution is returned once)
    Paths take(std::int64_t limit);

    // All solutions not taken yet, held back or not, in the order of take(). They stay.
    Paths untaken() const;

    // Whether nothing is left to search and nothing to take.
    bool exhausted() const {
        const std::scoped_lock lock(use_);
        return pool_.empty() && held_.empty();
    }

    // Sums over all runs. Nodes and solutions of a finished search do not depend on where it was
    // stopped, nor on the number of workers.
    std::uint64_t nodes() const { return locked(nodes_); }
    std::uint64_t updates() const { return locked(updates_); }
    std::int64_t count() const { return locked(count_); }
    // The longest time, in seconds, that it took to reach the node of a prefix or to write down
    // the branches left at a stop.
    double slowest_replay() const { return locked(slowest_replay_); }
    // The sum of the weights of prefixes(): 1 at first, 0 at the end.
    double remaining() const;

private:
    struct Share;

    static constexpr Index kHeaviest = 1000;
    static constexpr int kMostWorkers = 256;

    template <typename T>
    T locked(const T& counter) const {
        const std::scoped_lock lock(use_);
        return counter;
    }

    void check_prunings() const;
    void sort_pool();
    void work(Kernel& kernel, const Limits& limits, std::int64_t wanted, Clock::time_point deadline,
              Share& share, const std::function<bool()>* interrupted = nullptr);
    std::int64_t ready(std::int64_t limit) const;
    bool fetch(std::vector<Left>& mine, Share& share);
    void give(std::vector<Left>& mine, Share& share);
    void report(const Run& run, std::int64_t fresh, std::int64_t wanted, Clock::time_point deadline,
                Share& share);
    void collect(Run& run, std::vector<Left>& mine, Share& share);
    static void fail(Share& share);

    mutable std::mutex use_;
    Problem problem_;
    Tuning tuning_;
    std::vector<std::unique_ptr<Kernel>> kernels_;  // one for each worker
    std::vector<Left> pool_;                        // in reverse order
    std::vector<Path> held_;                        // solutions not taken yet, in reverse order
    std::uint64_t nodes_ = 0;
    std::uint64_t updates_ = 0;
    std::int64_t count_ = 0;
    double slowest_replay_ = 0;
    bool ordered_ = false;
    bool failed_ = false;
    std::atomic<bool> cancelled_ = false;
};

}  // namespace exactile
