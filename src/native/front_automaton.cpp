#include "front_automaton.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "hashing.hpp"

namespace exactile {

static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
static constexpr std::size_t kNodesPerCheck = 64;  // nodes between two readings of the clock
static constexpr double kForecast = 0.25;          // part of the nodes that allows a forecast
static constexpr double kTooMany = 4;              // times as many nodes as there may be

Edges Edges::reversed() const {
    Edges back;
    const std::size_t nodes = first.size() - 1;
    back.first.assign(nodes + 1, 0);
    back.node.resize(node.size());
    back.mark.resize(mark.size());
    for (const std::uint32_t to : node) ++back.first[to + 1];
    for (std::size_t u = 0; u < nodes; ++u) back.first[u + 1] += back.first[u];
    std::vector<std::uint64_t> at(back.first.begin(), back.first.end() - 1);
    for (std::size_t u = 0; u < nodes; ++u)
        for (std::uint64_t e = first[u]; e < first[u + 1]; ++e) {
            const std::uint64_t place = at[node[e]]++;
            back.node[place] = static_cast<std::uint32_t>(u);
            back.mark[place] = mark[e];
        }
    return back;
}

std::uint64_t Edges::bytes() const { return 8 * first.size() + (4 + sizeof(Mark)) * node.size(); }

std::uint32_t StateSet::find_or_add(const std::uint64_t* state, std::size_t words) {
    if (size_ * 3 >= slots_.size() * 2) {  // grow before it is two thirds full
        slots_.assign(std::max<std::size_t>(16, slots_.size() * 2), 0);
        const std::size_t last = slots_.size() - 1;
        for (std::size_t k = 0; k < size_; ++k) {
            std::size_t at = hash_of(&states_[k * words], words) & last;
            while (slots_[at] != 0) at = (at + 1) & last;
            slots_[at] = static_cast<std::uint32_t>(k + 1);
        }
    }
    const std::size_t last = slots_.size() - 1;
    std::size_t at = hash_of(state, words) & last;
    for (; slots_[at] != 0; at = (at + 1) & last) {
        const std::uint32_t k = slots_[at] - 1;
        if (std::equal(state, state + words, &states_[k * words])) return k;
    }
    states_.insert(states_.end(), state, state + words);
    slots_[at] = static_cast<std::uint32_t>(++size_);
    return slots_[at] - 1;
}

Automaton::Automaton(const CountProblem& problem, std::vector<Mark> marks, Mark nothing,
                     std::uint64_t most_nodes, std::uint64_t most_bytes, bool predicts)
    : plan_(problem, Plan::Bits::own),
      marks_(std::move(marks)),
      nothing_(nothing),
      most_nodes_(std::min<std::uint64_t>(most_nodes, kNone - 1)),
      most_bytes_(most_bytes),
      predicts_(predicts) {
    edges_.first.assign(1, 0);
    if (!plan_.feasible) {
        status_ = Status::done;
        return;
    }
    if (plan_.blocks.size() > std::numeric_limits<std::uint16_t>::max()) {
        status_ = Status::too_large;
        return;
    }
    layers_.resize(plan_.blocks.size());
    state_.resize(plan_.words);
    next_.assign(plan_.words, 0);
    arrive(0, next_.data(), nothing, Demands::kNothing);
    layers_[0].steps.clear();
    step_count_ = 0;
}

// Add an edge from the node that is being expanded to a state before a block.
void Automaton::arrive(std::size_t block, std::uint64_t* state, Mark mark, std::size_t took) {
    const std::size_t end = plan_.blocks.size() - 1;
    while (block < end && plan_.anchored(block, state))
        if (!plan_.settle(block++, state)) return;
    Layer& layer = layers_[block];
    const std::size_t before = layer.states.size();
    if (layer.demands.items.empty() && block < end) layer.demands = plan_.demands(block);
    if (layer.demands.hopeless(state, plan_, took, at_block_, layer.hints)) return;
    const std::uint32_t number = layer.states.find_or_add(state, plan_.words);
    met_ += layer.states.size() - before;
    layers_[at_block_].steps.push_back({number, mark, static_cast<std::uint16_t>(block)});
    ++step_count_;
}

void Automaton::expand(std::size_t number) {
    Layer& layer = layers_[at_block_];
    const std::uint64_t* const state = layer.states.at(number, plan_.words);
    const Block& block = plan_.blocks[at_block_];
    for (std::size_t m = block.moves; m < plan_.blocks[at_block_ + 1].moves; ++m)
        if (plan_.apply(m, state, next_.data()) && plan_.settle(at_block_, next_.data()))
            arrive(at_block_ + 1, next_.data(), marks_[plan_.moves[m].option], m);
    if (!block.must) {
        std::copy_n(state, plan_.words, next_.begin());
        if (plan_.settle(at_block_, next_.data()))
            arrive(at_block_ + 1, next_.data(), nothing_, Demands::kNothing);
    }
    layer.first.push_back(layer.steps.size());
}

// Nodes of a block with equal edges, to nodes that are left, become one.
void Automaton::merge(std::size_t block) {
    Layer& layer = layers_[block];
    const std::size_t count = layer.first.size() - 1;
    layer.merged.assign(count, kNone);
    std::vector<Step> left, mine;
    std::vector<std::uint64_t> first{0};
    std::unordered_multimap<std::uint64_t, std::uint32_t> known;
    for (std::size_t k = 0; k < count; ++k) {
        mine.clear();
        for (std::uint64_t e = layer.first[k]; e < layer.first[k + 1]; ++e) {
            Step step = layer.steps[e];
            step.number = layers_[step.block].merged[step.number];
            if (step.number != kNone) mine.push_back(step);
        }
        if (mine.empty()) continue;
        std::sort(mine.begin(), mine.end());
        std::uint64_t hash = mine.size();
        for (const Step& step : mine) {
            const std::uint64_t word = std::uint64_t{step.number} << 32 | step.mark;
            hash = (hash ^ word ^ std::uint64_t{step.block} << 16) * 0xbf58476d1ce4e5b9;
            hash ^= hash >> 31;
        }
        std::uint32_t& number = layer.merged[k];
        const auto [begin, end] = known.equal_range(hash);
        for (auto it = begin; it != end; ++it) {
            const std::uint32_t other = it->second;
            if (std::equal(mine.begin(), mine.end(), &left[first[other]],
                           left.data() + first[other + 1]))
                number = other;
        }
        if (number != kNone) continue;
        number = static_cast<std::uint32_t>(first.size() - 1);
        left.insert(left.end(), mine.begin(), mine.end());
        first.push_back(left.size());
        known.emplace(hash, number);
    }
    layer.steps = std::move(left);
    layer.steps.shrink_to_fit();
    layer.first = std::move(first);
}

void Automaton::number_nodes() {
    std::vector<std::uint32_t> base(layers_.size());
    std::uint64_t count = 0;
    step_count_ = 0;
    for (std::size_t b = 0; b < layers_.size(); ++b) {
        base[b] = static_cast<std::uint32_t>(count);
        count += layers_[b].first.size() - 1;
        step_count_ += layers_[b].steps.size();
    }
    edges_.first.reserve(count + 1);
    edges_.node.reserve(step_count_);
    edges_.mark.reserve(step_count_);
    block_.reserve(count);
    for (std::size_t b = 0; b < layers_.size(); ++b) {
        Layer& layer = layers_[b];
        for (std::size_t k = 0; k + 1 < layer.first.size(); ++k) {
            block_.push_back(static_cast<std::uint32_t>(b));
            for (std::uint64_t e = layer.first[k]; e < layer.first[k + 1]; ++e) {
                edges_.node.push_back(base[layer.steps[e].block] + layer.steps[e].number);
                edges_.mark.push_back(layer.steps[e].mark);
            }
            edges_.first.push_back(edges_.node.size());
        }
        layer = Layer();
    }
}

std::uint64_t Automaton::bytes() const {
    // Vectors may have half as much again of room; a node has its state, a slot, a flag, a place.
    return met_ * (8 * plan_.words + 24) * 3 / 2 + step_count_ * sizeof(Step) * 3 / 2;
}

bool Automaton::hopeless() const {
    const auto met = static_cast<double>(met_), most = static_cast<double>(most_nodes_);
    if (!predicts_ || met < kForecast * most) return false;
    const double done = static_cast<double>(at_block_ + 1) / static_cast<double>(layers_.size());
    return met / done > kTooMany * most;
}

Automaton::Status Automaton::run(Clock::time_point deadline) {
    const auto late = [&] { return Clock::now() >= deadline; };
    const std::size_t end = layers_.empty() ? 0 : layers_.size() - 1;
    for (std::size_t step = 1; status_ == Status::running && !merging_; ++step) {
        if (at_block_ == end) {
            merging_ = true;
            Layer& last = layers_[end];
            if (last.states.size() > 1) throw std::logic_error("several states at the end");
            last.first.assign(last.states.size() + 1, 0);
            last.merged.assign(last.states.size(), 0);
        } else if (Layer& layer = layers_[at_block_]; at_number_ < layer.states.size()) {
            expand(at_number_++);
        } else {
            layer.states = StateSet();
            layer.demands = Demands();
            layer.hints = {};
            layer.steps.shrink_to_fit();
            ++at_block_;
            at_number_ = 0;
        }
        if (met_ > most_nodes_ || bytes() > most_bytes_ || hopeless()) {
            status_ = Status::too_large;
            layers_.clear();
        }
        if (step % kNodesPerCheck == 0 && late()) return status_;
    }
    while (status_ == Status::running) {
        if (at_block_ == 0) {
            number_nodes();
            status_ = Status::done;
        } else {
            merge(--at_block_);
        }
        if (late()) break;
    }
    return status_;
}

}  // namespace exactile
