// What is made of the automaton once, before lists are: weights, levels, ranks, both ends.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "front_count.hpp"

namespace exactile {

static constexpr std::uint64_t kMostRests = 1 << 20;   // ways to leave something over
static constexpr std::uint64_t kMostRanked = 1 << 25;  // keys of a class
static constexpr std::size_t kMostRankedBits = 28;  // of a key; the tables of halves grow with them

void FrontCounter::prepare() {
    met_nodes_ = automaton_->met();
    width_ = automaton_->width();
    if (automaton_->nodes() == 0) {
        finish();
        return;
    }
    front_->out = automaton_->edges();
    weigh_nodes();
    set_levels();
    give_ranks();
    automaton_.reset();
    front_->in = front_->out.reversed();
    for (std::vector<List>& lists : front_->lists) lists.resize(front_->nodes());
    store_ = std::make_unique<ListStore>(room_for_lists(), limits_.directory);
    for (int k = 0; k < limits_.workers; ++k)
        workers_.push_back(std::make_unique<Worker>(*front_, *store_));
    status_ = fixed_bytes() > limits_.bytes ? Status::out_of_memory : Status::counting;
    if (status_ == Status::counting) make_ends();
}

// What is used before each node, if that weighs the same on all ways to it.
void FrontCounter::weigh_nodes() {
    Front& front = *front_;
    const std::uint32_t nodes = automaton_->nodes();
    constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();
    std::vector<std::uint64_t> weight(nodes, kUnknown);
    weight[0] = 0;
    bool even = std::all_of(item_weights_.begin(), item_weights_.end(),
                            [](std::uint64_t w) { return w > 0; });
    for (std::uint32_t u = 0; even && u < nodes; ++u)
        for (std::uint64_t e = front.out.first[u]; e < front.out.first[u + 1]; ++e) {
            std::uint64_t& there = weight[front.out.node[e]];
            const std::uint64_t sum = weight[u] + front.label(front.out, e).weight;
            if (there == kUnknown) there = sum;
            even = even && there == sum;
        }
    if (even && weight.back() <= front.supply.full_weight()) front.weight = std::move(weight);
}

// Nodes of equal weight are a level, if edges lead from lighter to heavier ones; else blocks are.
void FrontCounter::set_levels() {
    Front& front = *front_;
    const std::uint32_t nodes = automaton_->nodes();
    bool by_weight = weighs_evenly();
    for (std::uint32_t u = 0; by_weight && u < nodes; ++u)
        for (std::uint64_t e = front.out.first[u]; e < front.out.first[u + 1]; ++e)
            by_weight = by_weight && front.weight[u] < front.weight[front.out.node[e]];
    std::map<std::uint64_t, std::uint32_t> number;
    const auto key = [&](std::uint32_t u) {
        return by_weight ? front.weight[u] : automaton_->block_of(u);
    };
    for (std::uint32_t u = 0; u < nodes; ++u) number[key(u)] = 0;
    std::uint32_t count = 0;
    for (auto& [_, level] : number) level = count++;
    levels_.resize(count);
    front.level.resize(nodes);
    for (std::uint32_t u = 0; u < nodes; ++u) {
        front.level[u] = number[key(u)];
        levels_[front.level[u]].push_back(u);
    }
    last_reader_.assign(nodes, 0);
    first_reader_.assign(nodes, std::numeric_limits<std::uint32_t>::max());
    for (std::uint32_t u = 0; u < nodes; ++u)
        for (std::uint64_t e = front.out.first[u]; e < front.out.first[u + 1]; ++e) {
            const std::uint32_t v = front.out.node[e];
            last_reader_[u] = std::max(last_reader_[u], front.level[v]);
            first_reader_[v] = std::min(first_reader_[v], front.level[u]);
            longest_ = std::max(longest_, front.level[v] - front.level[u]);
        }
}

// The classes of keys; what the levels cost by them.
void FrontCounter::give_ranks() {
    Front& front = *front_;
    cost_.assign(levels_.size(), 0);
    const auto size_at = [&](std::uint32_t u) {
        return weighs_evenly() ? static_cast<double>(front.supply.count(front.weight[u])) : 1.0;
    };
    for (std::uint32_t u = 0; u < front.nodes(); ++u) {
        bound_ += size_at(u);
        cost_[front.level[u]] +=
            size_at(u) * static_cast<double>(front.out.first[u + 1] - front.out.first[u] + 1);
    }
    for (const double cost : cost_) cost_of_all_ += cost;
    if (!weighs_evenly() || front.supply.bits() > kMostRankedBits) return;
    const std::uint64_t all = front.supply.full_weight();
    std::vector<std::uint64_t> weights;
    const std::uint64_t most = std::min<std::uint64_t>(
        kMostRanked, limits_.bytes / 32 / static_cast<std::uint64_t>(limits_.workers));
    for (const std::uint32_t u : levels_.front()) weights.push_back(front.weight[u]);
    for (std::uint32_t u = 0; u < front.nodes(); ++u)
        for (const std::uint64_t weight : {front.weight[u], all - front.weight[u]})
            if (front.supply.count(weight) <= most) weights.push_back(weight);
    std::sort(weights.begin(), weights.end());
    weights.erase(std::unique(weights.begin(), weights.end()), weights.end());
    front.supply.rank(weights, front.labels);
    front.class_of.assign(all + 1, nullptr);
    for (const std::uint64_t weight : weights)
        front.class_of[weight] = &front.supply.of_weight(weight);
}

// A list with the number one for some keys.
void FrontCounter::put_ones(Side side, std::uint32_t node, std::vector<Key> keys) {
    std::sort(keys.begin(), keys.end());
    List& list = front_->list(side, node);
    list.key_bytes = front_->key_bytes;
    list.size = keys.size();
    list.bits = 1;
    std::unique_ptr<std::byte[]> data(new std::byte[list.bytes()]);
    const Limb one = 1;
    for (std::size_t k = 0; k < keys.size(); ++k) {
        std::memcpy(data.get() + 4 * k, &one, 4);
        std::memcpy(data.get() + list.keys_at() + k * list.key_bytes, &keys[k], list.key_bytes);
    }
    if (!store_->keep(list, std::move(data))) status_ = Status::out_of_memory;
}

// The lists of the start and of the end, from which all others follow.
void FrontCounter::make_ends() {
    const std::uint64_t left =
        weighs_evenly() ? front_->supply.full_weight() - front_->weight[end()] : 0;
    std::vector<Key> rests = front_->supply.rests(weighs_evenly() ? &left : nullptr, kMostRests);
    one_sided_ = limits_.one_sided || rests.empty() || end() == 0;
    put_ones(Side::forward, 0, {Key{0}});
    backward_ = static_cast<std::uint32_t>(levels_.size());
    if (!one_sided_) {
        put_ones(Side::backward, end(), std::move(rests));
        --backward_;
        backward_bytes_ = front_->list(Side::backward, end()).bytes();
    }
    forward_bytes_ = front_->list(Side::forward, 0).bytes();
}

}  // namespace exactile
