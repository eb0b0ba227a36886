// A search that can be cut into slices and spread over threads: prefixes go round, kernels work.
//
// The prefixes whose subtrees are still to be searched lie in `pool_`, the next one last. A kernel
// that is stopped leaves the branches that it did not enter as prefixes, so that stopping, going
// on, sharing and handing over to others are all the same thing.

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

struct Limits {
    std::int64_t solutions = std::numeric_limits<std::int64_t>::max();
    std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
    double seconds = std::numeric_limits<double>::infinity();
    int workers = 1;
    bool ordered = false;  // solutions come in the order of the tree, whatever the workers
    bool keep = true;      // solutions, or only their number
    std::function<bool()> interrupted;  // asked by the caller's thread now and then; true ends it
};

// Whatever is asked while a run goes on waits for its end.
class Engine {
public:
    Engine(Cover cover, Tuning tuning);
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    // The prefixes still to be searched, in order. At first there is one, the whole tree.
    std::vector<Prefix> prefixes() const;
    void set_prefixes(std::vector<Prefix> prefixes);

    // Search until a limit is reached or nothing is left. More than kMostWorkers are too many.
    void run(const Limits& limits);

    // End the present run, and all to come, soon; from any thread.
    void cancel() { cancelled_ = true; }
    bool cancelled() const { return cancelled_; }

    // Take up to `limit` of the solutions found, each as its options in increasing order.
    Paths take(std::int64_t limit);

    bool exhausted() const {
        const std::scoped_lock lock(use_);
        return pool_.empty() && held_.empty();
    }
    std::uint64_t nodes() const { return locked(nodes_); }
    std::uint64_t updates() const { return locked(updates_); }
    std::int64_t count() const { return locked(count_); }
    // The longest time, in seconds, that it took to come to the node of a prefix or to leave one.
    double slowest_replay() const { return locked(slowest_replay_); }
    // The sum of the weights of what is left.
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
