#include "front_count.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <new>
#include <numeric>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

namespace exactile {

static constexpr std::size_t kLeastShared = 4;  // nodes for which threads are started

FrontCounter::FrontCounter(const CountProblem& problem, const std::vector<bool>& supplied,
                           FrontLimits limits)
    : limits_(std::move(limits)), front_(std::make_unique<Front>()) {
    limits_.workers = std::clamp(limits_.workers, 1, 256);
    Parts parts(problem, supplied);
    item_weights_ = std::move(parts.weights);
    front_->supply = std::move(parts.supply);
    front_->labels = std::move(parts.labels);
    front_->key_bytes = front_->supply.bits() <= 32 ? 4 : 8;
    front_->keep = limits_.keep;
    items_ = static_cast<std::size_t>(problem.items());
    options_ = static_cast<std::size_t>(problem.options());
    item_of_ = std::move(parts.items);
    if (parts.impossible) {
        finish();
    } else if (parts.too_many) {
        status_ = Status::too_large;
    } else {
        give_marks(parts);
        automaton_ = std::make_unique<Automaton>(parts.rest, std::move(parts.mark_of),
                                                 parts.nothing, limits_.nodes, limits_.bytes);
    }
}

// An edge is marked with what it takes; with its option if solutions are wanted.
void FrontCounter::give_marks(Parts& parts) {
    if (limits_.keep) {
        front_->label_of = std::move(parts.mark_of);
        front_->label_of.push_back(parts.nothing);
        option_of_ = std::move(parts.options);
        option_of_.push_back(-1);
        parts.nothing = static_cast<Mark>(front_->label_of.size() - 1);
        parts.mark_of.resize(parts.nothing);
        std::iota(parts.mark_of.begin(), parts.mark_of.end(), Mark{0});
    } else {
        front_->label_of.resize(front_->labels.size());
        std::iota(front_->label_of.begin(), front_->label_of.end(), Mark{0});
    }
}

FrontCounter::~FrontCounter() = default;

FrontCounter::Status FrontCounter::build(double seconds) {
    if (status_ != Status::building) return status_;
    try {
        const Automaton::Status built = automaton_->run(deadline_in(seconds));
        if (built == Automaton::Status::too_large) status_ = Status::too_large;
        if (built == Automaton::Status::done) prepare();
    } catch (const std::bad_alloc&) {
        status_ = Status::out_of_memory;
    }
    if (status_ == Status::too_large || status_ == Status::out_of_memory) free_room();
    return status_;
}

FrontCounter::Status FrontCounter::run(double seconds) {
    const Clock::time_point deadline = deadline_in(seconds);
    if (status_ == Status::building) build(seconds);
    try {
        while (status_ == Status::counting) {
            if (task_ == Task::nothing) begin_level();
            if (status_ == Status::counting) work_on_level(deadline);
            if (Clock::now() >= deadline) break;
        }
    } catch (const std::bad_alloc&) {
        status_ = Status::out_of_memory;
    }
    if (status_ == Status::out_of_memory) free_room();
    return status_;
}

void FrontCounter::begin_level() {
    if (forward_ < backward_) {
        begin_lists(one_sided_ || forward_bytes_ <= backward_bytes_ ? Task::forward
                                                                    : Task::backward);
    } else if (one_sided_) {
        finish();
    } else {
        task_ = Task::join;
        next_ = 0;
        front_->cut = forward_;
        queue_.clear();
        for (std::uint32_t l = forward_;
             l < std::min<std::uint64_t>(levels_.size(), forward_ + longest_); ++l)
            queue_.insert(queue_.end(), levels_[l].begin(), levels_[l].end());
    }
}

// The lists of a level, the longest work first: then all workers end at about the same time.
void FrontCounter::begin_lists(Task side) {
    task_ = side;
    next_ = 0;
    const bool ahead = side == Task::forward;
    const Side read = ahead ? Side::forward : Side::backward;
    const Edges& edges = ahead ? front_->in : front_->out;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> nodes;
    for (const std::uint32_t u : levels_[ahead ? forward_ : backward_ - 1]) {
        std::uint64_t work = 0;
        for (std::uint64_t e = edges.first[u]; e < edges.first[u + 1]; ++e)
            work += front_->list(read, edges.node[e]).size;
        nodes.emplace_back(~work, u);
    }
    std::sort(nodes.begin(), nodes.end());
    queue_.clear();
    for (const auto& [_, u] : nodes) queue_.push_back(u);
}

void FrontCounter::work_on_level(Clock::time_point deadline) {
    std::atomic<bool> full = false;
    std::exception_ptr failure;
    std::mutex mutex;
    const auto work = [&](Worker& worker) {
        try {
            if (task_ == Task::join || task_ == Task::tally)
                worker.join(queue_, next_, deadline);
            else if (!worker.make_lists(task_ == Task::forward ? Side::forward : Side::backward,
                                        queue_, next_, deadline))
                full = true;
        } catch (...) {
            const std::lock_guard lock(mutex);
            failure = std::current_exception();
        }
    };
    if (queue_.size() < kLeastShared) {
        for (const auto& worker : workers_) work(*worker);  // some may have begun something
    } else {
        std::vector<std::thread> threads;
        std::size_t k = 1;
        try {
            for (; k < workers_.size(); ++k) threads.emplace_back(work, std::ref(*workers_[k]));
        } catch (const std::system_error&) {
            // No more threads are available: those that run do the work.
        } catch (const std::bad_alloc&) {
        }
        work(*workers_[0]);
        for (; k < workers_.size(); ++k) work(*workers_[k]);  // some may have begun something
        for (std::thread& thread : threads) thread.join();
    }
    if (failure) std::rethrow_exception(failure);
    if (full) {
        status_ = Status::out_of_memory;
        return;
    }
    const bool idle = std::all_of(workers_.begin(), workers_.end(),
                                  [](const auto& worker) { return worker->idle(); });
    if (next_ >= queue_.size() && idle) end_level();
}

void FrontCounter::end_level() {
    if (task_ == Task::join) {
        finish();
        return;
    }
    if (task_ == Task::tally) {
        finish_tally();
        return;
    }
    const Side side = task_ == Task::forward ? Side::forward : Side::backward;
    std::uint64_t made = 0;
    for (const std::uint32_t u : queue_) made += front_->list(side, u).bytes();
    if (side == Side::forward) {
        cost_done_ += cost_[forward_];
        drop_read();
        ++forward_;
        forward_bytes_ += made;
    } else {
        cost_done_ += cost_[backward_ - 1];
        drop_read();
        --backward_;
        backward_bytes_ += made;
    }
    task_ = Task::nothing;
    if (!limits_.keep) store_->turn_page();
    store_->set_most(room_for_lists());
}

// Drop the lists that the level just finished was the last to read.
void FrontCounter::drop_read() {
    const bool ahead = task_ == Task::forward;
    const Side side = ahead ? Side::forward : Side::backward;
    const std::uint32_t now = ahead ? forward_ : backward_ - 1;
    const std::uint32_t low = ahead ? now - std::min(now, longest_) : now + 1;
    const std::uint32_t high =
        ahead ? now : std::min(static_cast<std::uint32_t>(levels_.size()), now + longest_ + 1);
    for (std::uint32_t level = low; level < high; ++level)
        for (const std::uint32_t u : levels_[level]) {
            List& list = front_->list(side, u);
            if (list.size == 0 || (ahead ? last_reader_[u] : first_reader_[u]) != now) continue;
            (ahead ? forward_bytes_ : backward_bytes_) -= list.bytes();
            if (!limits_.keep) store_->drop(list);
        }
}

// Add up what the workers have, or what has come to the end from one side.
void FrontCounter::finish() {
    Sums total;
    for (const auto& worker : workers_) joined_.add(std::exchange(worker->sums(), Sums()));
    for (std::size_t place = 0; place < joined_.size(); ++place) total.add(0, joined_[place]);
    if (one_sided_ && front_->nodes() > 0)
        each_number(*front_, *store_, Side::forward, end(), [&](Key key, Limbs count) {
            if (front_->supply.sufficient(key)) total.add(0, count);
        });
    total_.assign(1, 0);
    if (total.size() > 0) total_.assign(total[0].at, total[0].at + total[0].size);
    while (total_.size() > 1 && total_.back() == 0) total_.pop_back();
    status_ = Status::done;
    task_ = Task::nothing;
    joined_nodes_ = std::exchange(queue_, {});
    if (!limits_.keep && !limits_.one_sided) free_room();
}

void FrontCounter::free_room() {
    task_ = Task::nothing;
    automaton_.reset();
    for (std::vector<List>& lists : front_->lists) std::vector<List>().swap(lists);
}

std::uint64_t FrontCounter::fixed_bytes() const {
    // For each node: level, readers, its place in its level; and its lists' heads.
    return front_->out.bytes() + front_->in.bytes() + front_->supply.bytes() +
           front_->nodes() * (16 + 2 * sizeof(List) + (weighs_evenly() ? 8 : 0));
}

std::uint64_t FrontCounter::room_for_lists() const {
    std::uint64_t fixed = fixed_bytes();
    for (const auto& worker : workers_) fixed += worker->bytes();
    return std::min(limits_.list_bytes, limits_.bytes - std::min(limits_.bytes, fixed));
}

std::vector<Limb> FrontCounter::total() const {
    if (status_ != Status::done) throw std::logic_error("the counter has not finished");
    return total_;
}

std::uint64_t FrontCounter::operations() const {
    std::uint64_t sum = 0;
    for (const auto& worker : workers_) sum += worker->operations();
    return sum;
}

std::uint64_t FrontCounter::entries() const {
    std::uint64_t sum = 0;
    for (const auto& worker : workers_) sum += worker->entries();
    return sum;
}

std::uint64_t FrontCounter::peak_bytes() const {
    return store_ ? fixed_bytes() + store_->peak() : 0;
}

double FrontCounter::done() const {
    if (status_ == Status::done) return 1;
    return cost_of_all_ > 0 ? std::min(cost_done_ / cost_of_all_, 1.0) : 0;
}

}  // namespace exactile
