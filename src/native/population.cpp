#include "population.hpp"

#include <new>
#include <numeric>

namespace exactile {

static constexpr std::size_t kLeast = 1024;  // states that have room at first
static constexpr std::size_t kAhead = 16;    // states from a fetch to its use

const Step& Trails::step_to(std::uint32_t state, Dice& dice) const {
    const std::size_t end = state + 1 < first.size() ? first[state + 1] : steps.size();
    double sum = 0;
    for (std::size_t k = first[state]; k < end; ++k) sum += steps[k].weight;
    double due = sum * dice.fraction();
    for (std::size_t k = first[state]; k + 1 < end; ++k)
        if ((due -= steps[k].weight) < 0) return steps[k];
    return steps[end - 1];
}

static bool is_smaller(const StateRows& a, const StateRows& b) {
    return a.moves.size() < b.moves.size();
}

void Spare::give(StateRows rows) {
    rows_.insert(std::ranges::upper_bound(rows_, rows, is_smaller), std::move(rows));
}

StateRows Spare::take(std::size_t room) {
    const auto found = std::ranges::find_if(
        rows_, [&](const StateRows& rows) { return rows.moves.size() >= room; });
    if (found == rows_.end()) {
        if (!rows_.empty()) rows_.pop_back();
        return {};
    }
    StateRows taken = std::move(*found);
    rows_.erase(found);
    return taken;
}

Population::Population(std::size_t words, std::uint64_t most, bool traced, Spare& spare)
    : words_(words), most_(most), traced_(traced), spare_(spare), rows_(rows_for(kLeast)) {}

void Population::link(std::size_t k, const Step& step) {
    if (k == last_.size()) last_.push_back(Step::kNone);
    links_.push_back({step, last_[k]});
    last_[k] = static_cast<std::uint32_t>(links_.size() - 1);
}

StateRows Population::rows_for(std::size_t room) {
    StateRows rows = spare_.take(room);
    if (rows.moves.size() < room) {
        rows.states.resize(room * (words_ + 1));
        rows.weights.resize(room);
        rows.moves.resize(room);
    }
    if (traced_) rows.before.resize(rows.moves.size());
    return rows;
}

void Population::grow() {
    StateRows rows = rows_for(std::max(size_ + 1, std::min(2 * size_, most_)));
    std::ranges::copy(rows_.states, rows.states.begin());
    std::ranges::copy(rows_.weights, rows.weights.begin());
    std::ranges::copy(rows_.moves, rows.moves.begin());
    if (traced_) std::ranges::copy(rows_.before, rows.before.begin());
    spare_.give(std::exchange(rows_, std::move(rows)));
}

// Note the steps to the new states; `first` is as in merge().
void Population::trace(const std::uint32_t* first) {
    std::vector<std::uint32_t> place(size_);  // of each state when all have been merged
    auto next = static_cast<std::uint32_t>(merged_);
    std::iota(place.begin(), place.begin() + next, 0);
    for (auto k = static_cast<std::uint32_t>(merged_); k < size_; ++k) {
        place[k] = first == nullptr || first[k] == k ? next++ : place[first[k]];
        link(place[k], {rows_.weights[k], rows_.before[k], rows_.moves[k]});
    }
}

void Population::merge(EqualRows* equal) {
    const std::size_t stride = words_ + 1;
    std::uint64_t* const states = rows_.states.data();
    double* const weights = rows_.weights.data();
    // Of each state the first one equal to it.
    const std::uint32_t* const first =
        equal == nullptr ? nullptr : equal->find(states, stride, size_);
    if (traced_) trace(first);
    if (first != nullptr) {
        for (std::size_t k = merged_; k < size_; ++k) {
            if (k + kAhead < size_) __builtin_prefetch(&weights[first[k + kAhead]]);
            if (first[k] != k) weights[first[k]] += weights[k];
        }
        std::size_t kept = merged_;
        for (std::size_t k = merged_; k < size_; ++k) {
            for (std::size_t w = 0; w < stride; ++w)
                states[kept * stride + w] = states[k * stride + w];
            weights[kept] = weights[k];
            rows_.moves[kept] = rows_.moves[k];
            kept += first[k] == k;
        }
        size_ = kept;
    }
    merged_ = size_;
}

void Population::scale(double factor) {
    for (std::size_t k = 0; k < size_; ++k) rows_.weights[k] *= factor;
    for (Link& link : links_) link.step.weight *= factor;
}

// The steps to a state share its new weight as they shared the old one.
void Population::select_links(const std::vector<std::uint32_t>& chosen) {
    std::vector<Link> links;
    std::vector<std::uint32_t> last;
    for (const std::uint32_t k : chosen) {
        double sum = 0;
        for (std::uint32_t at = last_[k]; at != Step::kNone; at = links_[at].next)
            sum += links_[at].step.weight;
        std::uint32_t next = Step::kNone;
        for (std::uint32_t at = last_[k]; at != Step::kNone; at = links_[at].next) {
            links.push_back({links_[at].step, next});
            links.back().step.weight *= rows_.weights[k] / sum;
            next = static_cast<std::uint32_t>(links.size() - 1);
        }
        last.push_back(next);
    }
    links_ = std::move(links);
    last_ = std::move(last);
}

void Population::hand_over(Trails& trails) {
    if (trails.first.size() + last_.size() >= Step::kNone) throw std::bad_alloc();
    for (std::uint32_t at : last_) {
        trails.first.push_back(trails.steps.size());
        for (; at != Step::kNone; at = links_[at].next) trails.steps.push_back(links_[at].step);
    }
    links_ = {};
    last_ = {};
}

void Population::select(const std::vector<std::uint32_t>& chosen) {
    if (traced_) select_links(chosen);
    const std::size_t stride = words_ + 1;
    StateRows all = std::exchange(rows_, rows_for(chosen.size()));
    for (std::size_t k = 0; k < chosen.size(); ++k) {
        for (std::size_t w = 0; w < stride; ++w)
            rows_.states[k * stride + w] = all.states[chosen[k] * stride + w];
        rows_.weights[k] = all.weights[chosen[k]];
        rows_.moves[k] = all.moves[chosen[k]];
    }
    size_ = merged_ = chosen.size();
    spare_.give(std::move(all));
}

}  // namespace exactile
