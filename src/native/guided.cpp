#include "guided.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "thinning.hpp"

namespace exactile {

static constexpr std::uint64_t kWorkPerCheck = 1 << 14;  // states, likewise
static constexpr std::size_t kTabled = 64;  // states of a node for which tables are worth while
static constexpr double kLarge = 0x1p600;   // weights beyond it are scaled
static constexpr int kScale = 512;
static constexpr float kLeastMeasure = -100;  // in bits, beside the largest one

void GuidedRun::Table::reset(std::size_t expected) {
    capacity_ = std::bit_ceil(std::max<std::size_t>(16, 2 * expected));
    shift_ = 64 - std::countr_zero(capacity_);
    if (places_.size() < capacity_) places_.resize(capacity_);
    std::fill_n(places_.begin(), capacity_, State{});
    size_ = 0;
}

void GuidedRun::Table::add(Key key, double weight) {
    if (3 * size_ >= 2 * capacity_) grow();
    std::size_t at = key * 0x9e3779b97f4a7c15 >> shift_;
    while (places_[at].weight != 0 && places_[at].key != key) at = (at + 1) & (capacity_ - 1);
    if (places_[at].weight == 0) {
        places_[at].key = key;
        ++size_;
    }
    places_[at].weight += weight;
}

void GuidedRun::Table::grow() {
    old_.clear();
    each([&](const State& state) { old_.push_back(state); });
    reset(capacity_);
    for (const State& state : old_) add(state.key, state.weight);
}

GuidedRun::GuidedRun(std::shared_ptr<const Guide> guide, std::uint64_t states, std::uint64_t most,
                     std::uint64_t seed)
    : shared_(std::move(guide)),
      guide_(*shared_),
      states_(states),
      most_(std::max(states, most)),
      dice_(seed),
      group_worth_(guide_.groups_.size()) {
    over_ = guide_.nodes() == 0;
    if (over_) return;
    if (guide_.listed(0)) {
        total_ = ways(0, guide_.supply_.full());
        reached_ = guide_.levels();
        over_ = true;
        return;
    }
    open_.resize(guide_.levels());
    place_.resize(guide_.nodes());
    open_[0] = {{0, 1.0}};
    place_[0] = {0, 1};
    level_ = 1;
    begin_node();
}

// Number of ways to complete a node that use exactly this.
double GuidedRun::ways(std::uint32_t node, Key key) const {
    const auto begin = guide_.endings_.begin();
    const auto end = begin + guide_.span_[node].end;
    const auto at = std::lower_bound(begin + guide_.span_[node].begin, end, key,
                                     [](const auto& one, Key sought) { return one.key < sought; });
    return at != end && at->key == key ? at->ways : 0;
}

bool GuidedRun::advance(double seconds) {
    const auto deadline = deadline_in(seconds);
    while (!over_) {
        if (number_ == guide_.levels_[level_].size()) {
            end_level();
        } else if (edge_ < last_edge_) {
            pull(edge_++);
        } else {
            put();
            ++number_;
            begin_node();
        }
        if (work_ < kWorkPerCheck) continue;
        work_ = 0;
        if (Clock::now() >= deadline) break;
    }
    return over_;
}

void GuidedRun::begin_node() {
    if (number_ == guide_.levels_[level_].size()) return;
    const std::uint32_t node = guide_.levels_[level_][number_];
    edge_ = guide_.in_.first[node];
    last_edge_ = guide_.in_.first[node + 1];
    work_ += last_edge_ - edge_ + 1;
    std::uint32_t most = 0;
    for (std::uint64_t e = edge_; e < last_edge_; ++e)
        most = std::max(most, place_[guide_.in_.node[e]].second);
    if (most == 0) edge_ = last_edge_;
    table_.reset(most);
}

// Take over the states of a node that an edge leads from.
void GuidedRun::pull(std::uint64_t edge) {
    const std::uint32_t from = guide_.in_.node[edge];
    const auto [begin, count] = place_[from];
    if (count == 0) return;
    work_ += count;
    const Label& label = guide_.labels_[guide_.in_.mark[edge]];
    const State* const states = open_[guide_.level_[from]].data() + begin;
    if (level_ >= guide_.cut_) return meet(states, count, label);
    for (std::size_t k = 0; k < count; ++k) {
        if (!label.fits(states[k].key)) continue;
        table_.add(states[k].key + label.add, states[k].weight);
        if (table_.size() >= most_) put();
    }
}

void GuidedRun::meet(const State* states, std::size_t count, const Label& label) {
    const std::uint32_t node = guide_.levels_[level_][number_];
    const Key full = guide_.supply_.full();
    for (std::size_t k = 0; k < count; ++k)
        if (label.fits(states[k].key))
            total_ += states[k].weight * ways(node, full - states[k].key - label.add);
}

// The states of a node that are made become states of the level, with their measures.
void GuidedRun::put() {
    if (table_.size() == 0) return;
    const std::uint32_t node = guide_.levels_[level_][number_];
    const float* const row = guide_.row(node);
    const float worth = guide_.worth_[node];
    std::vector<State>& here = open_[level_];
    const bool tabled = table_.size() >= kTabled;
    for (std::size_t g = 0; tabled && g < guide_.groups_.size(); ++g)
        guide_.tabulate(
            guide_.groups_[g], 0.0F,
            [&](const Guide::Item& item, std::uint64_t uses) { return row[item.place + uses]; },
            [](float a, float b) { return a + b; }, group_worth_[g]);
    if (place_[node].second == 0) place_[node].first = static_cast<std::uint32_t>(here.size());
    table_.each([&](const State& state) {
        float potential = worth;
        if (tabled)
            for (std::size_t g = 0; g < guide_.groups_.size(); ++g)
                potential +=
                    group_worth_[g][state.key >> guide_.groups_[g].shift & guide_.groups_[g].mask];
        else
            for (const Guide::Item& item : guide_.items_)
                potential += row[item.place + item.uses(state.key)];
        if (potential == Guide::kNever) return;
        here.push_back(state);
        measure_.push_back(static_cast<float>(std::log2(state.weight)) + potential);
        ++place_[node].second;
    });
    made_ += table_.size();
    work_ += table_.size();
    table_.reset(table_.size());
    if (here.size() >= most_) thin();
}

// Thin what there is of the present level.
void GuidedRun::thin() {
    std::vector<State>& here = open_[level_];
    if (here.size() <= states_) return;
    thinned_ = true;
    const float most = *std::max_element(measure_.begin(), measure_.end());
    linear_.clear();
    for (const float bits : measure_)
        linear_.push_back(std::exp2(std::max(bits - most, kLeastMeasure)));
    const std::vector<std::uint32_t>& nodes = guide_.levels_[level_];
    std::size_t kept = 0, number = 0;
    std::uint32_t end = place_[nodes[0]].first + place_[nodes[0]].second;
    place_[nodes[0]] = {0, 0};
    const auto turn_to_next = [&] {
        auto& next = place_[nodes[++number]];
        if (next.second > 0) end = next.first + next.second;
        next = {static_cast<std::uint32_t>(kept), 0};
    };
    thin_out(
        here.size(), states_, dice_, [&](std::size_t k) { return static_cast<double>(linear_[k]); },
        [&](std::size_t k, double measure) {
            while (k >= end) turn_to_next();
            const double raised = measure / static_cast<double>(linear_[k]);
            here[kept] = {here[k].key, here[k].weight * raised};
            measure_[kept] = static_cast<float>(std::log2(measure)) + most;
            ++kept;
            ++place_[nodes[number]].second;
        });
    while (number + 1 < nodes.size()) turn_to_next();
    here.resize(kept);
    measure_.resize(kept);
}

void GuidedRun::end_level() {
    std::vector<State>& here = open_[level_];
    thin();
    measure_.clear();
    here.shrink_to_fit();
    if (!here.empty()) reached_ = level_;
    if (level_ >= guide_.longest_) open_[level_ - guide_.longest_] = {};
    rescale();
    number_ = 0;
    if (++level_ < guide_.levels()) return begin_node();
    if (total_ > 0) reached_ = guide_.levels();
    over_ = true;
    open_ = {};
    place_ = {};
    table_ = {};
    linear_ = measure_ = {};
}

// Weights of any size: all of them are scaled, exactly, when some become large.
void GuidedRun::rescale() {
    double most = total_;
    for (const State& state : open_[level_]) most = std::max(most, state.weight);
    if (most < kLarge) return;
    const double factor = std::ldexp(1.0, -kScale);
    for (std::vector<State>& level : open_) {
        for (State& state : level) state.weight *= factor;
    }
    total_ *= factor;
    exponent_ += kScale;
}

}  // namespace exactile
