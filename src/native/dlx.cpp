#include "dlx.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace exactile {

// The clock is read once in so many steps (nodes and removals), a few hundred microseconds.
static constexpr std::uint64_t kStepsPerCheck = 1 << 14;

void Cover::validate() const {
    if (upper.size() != lower.size())
        throw std::invalid_argument("lower and upper bounds differ in length");
    if (first.empty() || first.front() != 0 ||
        first.back() != static_cast<std::int64_t>(members.size()))
        throw std::invalid_argument("option boundaries do not span the members");
    for (Index i = 0; i < items(); ++i)
        if (lower[i] < 0 || lower[i] > upper[i])
            throw std::invalid_argument("item " + std::to_string(i) + " has impossible bounds [" +
                                        std::to_string(lower[i]) + ", " + std::to_string(upper[i]) +
                                        "]");
    std::vector<Index> last_seen(lower.size(), -1);
    for (Index o = 0; o < options(); ++o) {
        if (first[o] > first[o + 1]) throw std::invalid_argument("option boundaries decrease");
        // An option without items would be free to take or leave in every solution.
        if (first[o] == first[o + 1])
            throw std::invalid_argument("option " + std::to_string(o) + " is empty");
        for (std::int64_t k = first[o]; k < first[o + 1]; ++k) {
            const Index i = members[k];
            if (i < 0 || i >= items())
                throw std::invalid_argument("option " + std::to_string(o) + " names item " +
                                            std::to_string(i) + ", which does not exist");
            if (last_seen[i] == o)
                throw std::invalid_argument("option " + std::to_string(o) + " contains item " +
                                            std::to_string(i) + " twice");
            last_seen[i] = o;
        }
    }
}

Dlx::Dlx(Cover cover) : cover_(std::move(cover)) {
    cover_.validate();
    const Index items = cover_.items();
    const std::size_t nodes = cover_.members.size();
    live_.assign(items, 0);
    for (const Index i : cover_.members) ++live_[i];
    block_.assign(items + 1, 0);
    for (Index i = 0; i < items; ++i) block_[i + 1] = block_[i] + live_[i];

    option_of_.resize(nodes);
    cells_.resize(nodes);
    place_.resize(nodes);
    std::vector<std::int64_t> next(block_.begin(), block_.end() - 1);
    for (Index o = 0; o < cover_.options(); ++o) {
        for (std::int64_t k = cover_.first[o]; k < cover_.first[o + 1]; ++k) {
            option_of_[k] = o;
            place_[k] = next[cover_.members[k]]++;
            cells_[place_[k]] = k;
        }
    }
    live_options_ = cover_.options();
    used_.assign(items, 0);
    open_.resize(items);
    open_place_.resize(items);
    for (Index i = 0; i < items; ++i) {
        open_[i] = open_place_[i] = i;
    }
    open_count_ = items;
    for (Index i = 0; i < items; ++i)
        if (cover_.lower[i] == 0) close_item(i);
    for (Index i = 0; i < items; ++i)
        while (cover_.upper[i] == 0 && live_[i] > 0) remove(option_of_[cells_[block_[i]]]);
    trail_.clear();
}

void Dlx::remove(Index option) {
    for (std::int64_t k = cover_.first[option]; k < cover_.first[option + 1]; ++k) {
        const Index i = cover_.members[k];
        const std::int64_t last = block_[i] + --live_[i];
        const std::int64_t other = cells_[last];
        const std::int64_t place = place_[k];
        cells_[place] = other;
        place_[other] = place;
        cells_[last] = k;
        place_[k] = last;
    }
    --live_options_;
    ++updates_;
    trail_.push_back(option);
}

void Dlx::restore(Index option) {
    for (std::int64_t k = cover_.first[option + 1] - 1; k >= cover_.first[option]; --k)
        ++live_[cover_.members[k]];
    ++live_options_;
}

void Dlx::undo_to(std::size_t mark) {
    while (trail_.size() > mark) {
        restore(trail_.back());
        trail_.pop_back();
    }
}

void Dlx::close_item(Index item) {
    const Index last = open_[--open_count_];
    const Index place = open_place_[item];
    open_[place] = last;
    open_place_[last] = place;
    open_[open_count_] = item;
    open_place_[item] = static_cast<Index>(open_count_);
}

// Use every item of the option once; an item that reaches its upper bound takes its options along.
void Dlx::choose(Index option) {
    chosen_.push_back(option);
    remove(option);
    for (std::int64_t k = cover_.first[option]; k < cover_.first[option + 1]; ++k) {
        const Index i = cover_.members[k];
        if (++used_[i] == cover_.lower[i]) close_item(i);
        if (used_[i] == cover_.upper[i])
            while (live_[i] > 0) remove(option_of_[cells_[block_[i] + live_[i] - 1]]);
    }
}

void Dlx::unchoose() {
    const Index option = chosen_.back();
    chosen_.pop_back();
    for (std::int64_t k = cover_.first[option + 1] - 1; k >= cover_.first[option]; --k) {
        const Index i = cover_.members[k];
        if (used_[i]-- == cover_.lower[i])
            ++open_count_;  // the item closed last is the first behind the open ones
    }
}

// The open item with the fewest branches, the lowest number among equals; kNone if none is open.
Index Dlx::pick_item() const {
    Index best = kNone;
    Index fewest = std::numeric_limits<Index>::max();
    for (std::size_t p = 0; p < open_count_; ++p) {
        const Index i = open_[p];
        const Index branches = live_[i] - need(i) + 1;
        if (branches < fewest || (branches == fewest && i < best)) {
            best = i;
            fewest = branches;
            if (branches <= 0) break;
        }
    }
    return best;
}

Index Dlx::any_live_item() const {
    for (Index i = 0; i < cover_.items(); ++i)
        if (live_[i] > 0) return i;
    return kNone;
}

// Begin a node: decide on what to branch.
void Dlx::enter() {
    ++nodes_;
    Index item = pick_item();
    const bool optional = item == kNone;
    if (optional && live_options_ > 0) item = any_live_item();
    stack_.push_back({item, kNone, optional, false, trail_.size(), trail_.size()});
}

// Move the top node to its next branch. Returns false if it had none left and was taken off.
bool Dlx::advance() {
    Frame& node = stack_.back();
    if (node.option != kNone) {
        unchoose();
        undo_to(node.choice_mark);
        remove(node.option);  // later branches of this node do without it
        node.option = kNone;
    }
    const Index item = node.item;
    if (item != kNone && live_[item] >= std::max(need(item), Index{1})) {
        node.choice_mark = trail_.size();
        node.option = option_of_[cells_[block_[item]]];
        choose(node.option);
        return true;
    }
    if (item != kNone && node.optional && !node.skipped) {
        node.skipped = true;
        return true;
    }
    undo_to(node.node_mark);
    stack_.pop_back();
    return false;
}

bool Dlx::out_of_time() {
    const std::uint64_t steps = nodes_ + updates_;
    if (steps < next_check_) return false;
    next_check_ = steps + kStepsPerCheck;
    return std::chrono::steady_clock::now() >= deadline_;
}

Slice Dlx::run(std::int64_t limit, double seconds) {
    Slice slice;
    deadline_ = std::chrono::steady_clock::now() +
                std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                    std::chrono::duration<double>(seconds));
    while (!exhausted_ && static_cast<std::int64_t>(slice.ends.size()) < limit && !out_of_time()) {
        if (descending_) {
            enter();
            if (stack_.back().item == kNone) slice.add(chosen_);
        }
        descending_ = advance();
        exhausted_ = stack_.empty();
    }
    slice.exhausted = exhausted_;
    return slice;
}

}  // namespace exactile
