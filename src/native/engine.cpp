#include "engine.hpp"

#include <algorithm>
#include <exception>
#include <iterator>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace exactile {

// Shared by the workers of one run. All but the flags is guarded by `mutex`.
struct Engine::Share {
    std::mutex mutex;
    std::condition_variable changed;
    std::size_t workers = 1;
    std::size_t started = 0;  // of the workers, those that run, the first one apart
    std::size_t waiting = 0;
    std::atomic<bool> over = false;    // a limit is reached, or a worker failed
    std::atomic<bool> wanted = false;  // a worker waits for work, or all is over
    std::int64_t found = 0;
    std::exception_ptr failure;

    void start() {
        const std::scoped_lock lock(mutex);
        ++started;
        changed.notify_all();
    }

    // Wait until all others run.
    void await_others() {
        std::unique_lock lock(mutex);
        changed.wait(lock, [this] { return started + 1 == workers; });
    }

    void finish() {
        over = true;
        wanted = true;
        changed.notify_all();
    }
};

Engine::Engine(Cover cover, Tuning tuning)
    : problem_(std::move(cover)), tuning_(std::move(tuning)), pool_{Left{}} {
    check_prunings();
    kernels_.push_back(make_kernel(problem_, tuning_));
}

void Engine::check_prunings() const {
    const Prunings& given = tuning_.prunings;
    if (given.pieces < 0 || given.units < 0 || given.pieces > problem_.cover.items() - given.units)
        throw std::invalid_argument("there are fewer items than pieces and units");
    for (const std::vector<Index>& shade : given.shades) {
        if (shade.size() != problem_.cover.lower.size())
            throw std::invalid_argument("a shade must have a weight for every item");
        for (const Index weight : shade)
            if (weight < -kHeaviest || weight > kHeaviest)
                throw std::invalid_argument("weights of shades must be within " +
                                            std::to_string(kHeaviest));
    }
}

void Engine::set_prefixes(std::vector<Prefix> prefixes) {
    for (const Prefix& prefix : prefixes)
        for (const Index move : prefix.path)
            if ((move < 0 ? ~move : move) >= problem_.cover.options())
                throw std::invalid_argument("a prefix names an option that does not exist");
    const std::scoped_lock lock(use_);
    pool_.clear();
    for (Prefix& prefix : prefixes)
        pool_.push_back({nullptr, 0, std::move(prefix.path), prefix.weight});
    sort_pool();
}

std::vector<Prefix> Engine::prefixes() const {
    const std::scoped_lock lock(use_);
    std::vector<Prefix> result;
    for (auto left = pool_.rbegin(); left != pool_.rend(); ++left)
        result.push_back({left->path(), left->weight});
    return result;
}

// The next to be searched comes last.
void Engine::sort_pool() {
    std::sort(pool_.begin(), pool_.end(),
              [](const Left& a, const Left& b) { return comes_before(b, a); });
}

double Engine::remaining() const {
    const std::scoped_lock lock(use_);
    double sum = 0;
    for (const Left& left : pool_) sum += left.weight;
    return sum;
}

void Engine::run(const Limits& limits) {
    if (limits.workers < 1) throw std::invalid_argument("a search needs at least one worker");
    const std::scoped_lock use(use_);
    if (failed_) throw std::runtime_error("the search failed before and cannot go on");
    const std::int64_t wanted = limits.solutions - ready(limits.solutions);
    if (pool_.empty() || wanted <= 0) return;
    const int workers = std::min(limits.workers, kMostWorkers);
    const Clock::time_point deadline = deadline_in(limits.seconds);
    Share share;
    std::vector<std::thread> threads;
    try {
        while (kernels_.size() < static_cast<std::size_t>(workers))
            kernels_.push_back(kernels_.front()->another());
        for (int worker = 1; worker < workers; ++worker) {
            const std::scoped_lock lock(share.mutex);
            threads.emplace_back([&, worker] {
                // The first throw in a thread needs memory: let that not be one for lack of it.
                static_cast<void>(std::current_exception());
                share.start();
                work(*kernels_[worker], limits, wanted, deadline, share);
            });
            ++share.workers;
        }
    } catch (const std::system_error&) {
        // No more threads are available: those that run do the work.
    } catch (const std::bad_alloc&) {
    }
    share.await_others();
    work(*kernels_[0], limits, wanted, deadline, share, &limits.interrupted);
    for (std::thread& thread : threads) thread.join();
    ordered_ = limits.ordered;
    if (workers > 1) sort_pool();  // one worker keeps the order
    if (ordered_)
        std::sort(held_.begin(), held_.end(),
                  [](const Path& a, const Path& b) { return comes_before(b, a); });
    if (share.failure) {
        failed_ = true;
        std::rethrow_exception(share.failure);
    }
}

// One worker: fetch a prefix, search it, and give away of what is left when others have nothing.
void Engine::work(Kernel& kernel, const Limits& limits, std::int64_t wanted,
                  Clock::time_point deadline, Share& share,
                  const std::function<bool()>* interrupted) {
    Run run;
    if (interrupted && *interrupted) run.interrupted = interrupted;
    run.deadline = deadline;
    run.node_limit = limits.nodes;
    run.solution_limit = wanted;
    run.keep = limits.keep;
    run.wanted = &share.wanted;
    std::vector<Left> mine;
    try {
        while (fetch(mine, share)) {
            const Prefix prefix{mine.back().path(), mine.back().weight};
            mine.pop_back();
            const std::int64_t before = run.count;
            kernel.search(prefix.path, run);
            for (auto left = run.left.rbegin(); left != run.left.rend(); ++left) {
                left->weight *= prefix.weight;
                mine.push_back(std::move(*left));
            }
            run.left.clear();
            run.go_on();
            report(run, run.count - before, wanted, deadline, share);
            if (share.wanted) give(mine, share);
        }
    } catch (...) {
        fail(share);
    }
    try {
        collect(run, mine, share);
    } catch (...) {
        fail(share);
    }
}

// Keep the exception that is being handled; it must not leave a thread.
void Engine::fail(Share& share) {
    const std::scoped_lock lock(share.mutex);
    share.failure = std::current_exception();
    share.finish();
}

// Take a prefix from the pool unless there is one at hand; wait while others may still give some.
// Returns false when all is over.
bool Engine::fetch(std::vector<Left>& mine, Share& share) {
    if (share.over) return false;
    if (!mine.empty()) return true;
    std::unique_lock lock(share.mutex);
    ++share.waiting;
    while (pool_.empty() && !share.over) {
        if (share.waiting == share.workers) {
            share.finish();
            break;
        }
        share.wanted = true;
        share.changed.wait(lock);
    }
    --share.waiting;
    if (share.over) return false;
    if (share.waiting == 0 || !pool_.empty()) share.wanted = false;
    mine.push_back(std::move(pool_.back()));
    pool_.pop_back();
    if (share.waiting > 0 && pool_.empty()) share.wanted = true;
    return true;
}

// How many solutions can be handed out at present, up to a limit.
std::int64_t Engine::ready(std::int64_t limit) const {
    if (!ordered_ || pool_.empty()) return std::min(limit, static_cast<std::int64_t>(held_.size()));
    std::int64_t count = 0;
    for (auto path = held_.rbegin(); path != held_.rend() && count < limit; ++path, ++count)
        if (!comes_before(*path, pool_.back())) break;
    return count;
}

// Give away prefixes near the root, which are last in order, up to half of the weight.
void Engine::give(std::vector<Left>& mine, Share& share) {
    if (mine.size() < 2) return;
    double weight = 0;
    for (const Left& left : mine) weight += left.weight;
    std::size_t given = 0;
    for (double part = 0; given + 1 < mine.size() && part < weight / 2; ++given)
        part += mine[given].weight;
    const std::scoped_lock lock(share.mutex);
    const auto end = mine.begin() + static_cast<std::ptrdiff_t>(given);
    pool_.insert(pool_.end(), std::make_move_iterator(mine.begin()), std::make_move_iterator(end));
    mine.erase(mine.begin(), end);
    share.wanted = share.over.load();
    share.changed.notify_all();
}

// See whether a limit is reached.
void Engine::report(const Run& run, std::int64_t fresh, std::int64_t wanted,
                    Clock::time_point deadline, Share& share) {
    const std::scoped_lock lock(share.mutex);
    share.found += fresh;
    if (share.found >= wanted || run.spent() || run.ended || Clock::now() >= deadline)
        share.finish();
}

void Engine::collect(Run& run, std::vector<Left>& mine, Share& share) {
    const std::scoped_lock lock(share.mutex);
    pool_.insert(pool_.end(), std::make_move_iterator(mine.begin()),
                 std::make_move_iterator(mine.end()));
    nodes_ += run.nodes;
    updates_ += run.updates;
    count_ += run.count;
    slowest_replay_ = std::max(slowest_replay_, run.slowest_replay);
    // The next to be taken is the last.
    std::vector<Path> found;
    std::size_t begin = 0;
    for (const std::size_t end : run.found.ends) {
        found.emplace_back(run.found.moves.begin() + static_cast<std::ptrdiff_t>(begin),
                           run.found.moves.begin() + static_cast<std::ptrdiff_t>(end));
        begin = end;
    }
    held_.insert(held_.begin(), std::make_move_iterator(found.rbegin()),
                 std::make_move_iterator(found.rend()));
}

// The options that are chosen on the way to a solution, in increasing order.
static Path chosen_on(const Path& path) {
    Path options;
    for (const Index move : path)
        if (move >= 0) options.push_back(move);
    std::sort(options.begin(), options.end());
    return options;
}

Paths Engine::take(std::int64_t limit) {
    const std::scoped_lock lock(use_);
    Paths taken;
    // A solution may have to wait until all that comes before it is searched.
    for (std::int64_t count = ready(limit); count > 0; --count) {
        taken.add(chosen_on(held_.back()));
        held_.pop_back();
    }
    return taken;
}

Paths Engine::untaken() const {
    const std::scoped_lock lock(use_);
    Paths all;
    for (auto path = held_.rbegin(); path != held_.rend(); ++path) all.add(chosen_on(*path));
    return all;
}

}  // namespace exactile
