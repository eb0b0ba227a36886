#include "count.hpp"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>

#include "hashing.hpp"

namespace exactile {

// Nodes between two readings of the clock: each may have hundreds of edges, and tables may grow.
static constexpr std::uint64_t kNodesPerCheck = 16;
// Nodes that are kept have 32-bit numbers; a few more than the budget may be made before that is
// noticed.
static constexpr std::uint64_t kMostNodes = std::uint64_t{1} << 31;

std::pair<Layer::Shard*, std::size_t> Layer::find_or_add(const std::uint64_t* state,
                                                         std::size_t words, std::size_t limbs) {
    const std::uint64_t hash = hash_of(state, words);
    Shard& shard = shards_[hash >> 58];
    if (shard.size * 3 >= shard.slots.size() * 2) {  // grow before it is two thirds full
        std::vector<std::uint32_t> slots(std::max<std::size_t>(8, shard.slots.size() * 2));
        const std::size_t last = slots.size() - 1;
        for (std::size_t k = 0; k < shard.size; ++k) {
            std::size_t at = hash_of(&shard.states[k * words], words) & last;
            while (slots[at] != 0) at = (at + 1) & last;
            slots[at] = static_cast<std::uint32_t>(k + 1);
        }
        shard.slots = std::move(slots);
    }
    const std::size_t last = shard.slots.size() - 1;
    std::size_t at = hash & last;
    for (; shard.slots[at] != 0; at = (at + 1) & last) {
        const std::size_t k = shard.slots[at] - 1;
        if (std::equal(state, state + words, &shard.states[k * words])) return {&shard, k};
    }
    shard.states.insert(shard.states.end(), state, state + words);
    shard.paths.resize(shard.paths.size() + limbs, 0);
    shard.slots[at] = static_cast<std::uint32_t>(++shard.size);
    return {&shard, shard.size - 1};
}

void Layer::widen(std::size_t limbs) {
    for (Shard& shard : shards_) {
        std::vector<Limb> wider(shard.size * (limbs + 1), 0);
        for (std::size_t k = 0; k < shard.size; ++k)
            std::copy_n(&shard.paths[k * limbs], limbs, &wider[k * (limbs + 1)]);
        shard.paths = std::move(wider);
    }
}

Counter::Counter(const CountProblem& problem, bool keep, std::uint64_t most_states,
                 std::uint64_t most_bytes, bool prune)
    : plan_(problem),
      keep_(keep),
      prune_(prune),
      most_states_(keep ? std::min(most_states, kMostNodes) : most_states),
      most_bytes_(most_bytes) {
    tallies_.assign(problem.options(), 0);
    paths_.assign(1, 1);
    total_.assign(1, 0);
    if (!plan_.feasible) {
        status_ = Status::done;
        return;
    }
    open_.resize(plan_.blocks.size());
    std::vector<std::uint64_t> start(plan_.words, 0);
    next_ = start;
    arrive(0, start.data(), -1, Demands::kNothing);
    edge_count_ = 0;
}

// Continue the paths of the present node, by an option, to a state before a block.
void Counter::arrive(std::size_t block, std::uint64_t* state, Index option, std::size_t took) {
    const std::size_t end = plan_.blocks.size() - 1;
    while (block < end && plan_.anchored(block, state))
        if (!plan_.settle(block++, state)) return;
    if (block == end) {
        const std::size_t n = limbs_;
        if (add_limbs(total_.data(), paths_.data(), n)) {
            widen();
            total_[n] += 1;
        }
        if (keep_) *edges_.reach(edge_count_) = {option, 0};  // node 0 is the terminal
        ++edge_count_;
        return;
    }
    if (!open_[block])
        open_[block] = std::make_unique<Layer>(prune_ ? plan_.demands(block) : Demands());
    if (open_[block]->hopeless(state, plan_, took, block_)) return;
    const auto [shard, place] = open_[block]->find_or_add(state, plan_.words, limbs_);
    if (keep_ && place == shard->nodes.size()) {
        shard->nodes.push_back(static_cast<std::uint32_t>(states_ + 1));
        nodes_.reach(states_ + 1);
    }
    if (is_zero(&shard->paths[place * limbs_], limbs_)) {  // every state that is met has a path
        ++states_;
        ++open_states_;
    }
    const std::size_t n = limbs_;
    if (add_limbs(&shard->paths[place * n], paths_.data(), n)) {
        widen();
        shard->paths[place * limbs_ + n] += 1;
    }
    if (keep_) *edges_.reach(edge_count_) = {option, shard->nodes[place]};
    ++edge_count_;
}

void Counter::widen() {
    for (const auto& layer : open_)
        if (layer) layer->widen(limbs_);
    paths_.push_back(0);
    total_.push_back(0);
    ++limbs_;
}

void Counter::expand(Layer::Shard& shard, std::size_t place) {
    const std::size_t words = plan_.words;
    const auto begin = shard.states.begin() + static_cast<std::ptrdiff_t>(place * words);
    state_.assign(begin, begin + static_cast<std::ptrdiff_t>(words));
    paths_.assign(&shard.paths[place * limbs_], &shard.paths[place * limbs_] + limbs_);
    const std::uint64_t before = edge_count_;
    const Block& block = plan_.blocks[block_];
    for (std::size_t m = block.moves; m < plan_.blocks[block_ + 1].moves; ++m)
        if (plan_.apply(m, state_.data(), next_.data()) && plan_.settle(block_, next_.data()))
            arrive(block_ + 1, next_.data(), plan_.moves[m].option, m);
    if (!block.must) {
        next_ = state_;
        if (plan_.settle(block_, next_.data()))
            arrive(block_ + 1, next_.data(), -1, Demands::kNothing);
    }
    if (keep_) {
        const std::uint32_t node = shard.nodes[place];
        *nodes_.at(node) = {before, static_cast<std::uint32_t>(edge_count_ - before)};
        *order_.reach(expanded_) = node;
    }
    ++expanded_;
}

std::uint64_t Counter::bytes() const {
    // An open state: the vectors of its shard, half as much again for their spare room.
    const std::uint64_t open = 8 * plan_.words + sizeof(Limb) * limbs_ + 4 + 8;
    // A kept one: its node, its place in the order, and the numbers below and above it.
    const std::uint64_t node = sizeof(Node) + 4 + 2 * sizeof(Limb) * limbs_;
    const std::uint64_t kept = keep_ ? states_ * node + edge_count_ * sizeof(Edge) : 0;
    return open_states_ * open * 3 / 2 + kept;
}

Counter::Status Counter::over_budget() const {
    if (states_ > most_states_) return Status::too_many_states;
    return bytes() > most_bytes_ ? Status::out_of_memory : Status::running;
}

void Counter::let_go() {
    open_.clear();
    nodes_ = Pages<Node>(1);
    edges_ = Pages<Edge>(1);
    order_ = Pages<std::uint32_t>(1);
    below_ = Pages<Limb>(1);
    above_ = Pages<Limb>(1);
}

Counter::Status Counter::run(double seconds) {
    const auto deadline = deadline_in(seconds);
    const std::size_t end = plan_.blocks.empty() ? 0 : plan_.blocks.size() - 1;
    try {
        for (std::uint64_t step = 1; status_ == Status::running; ++step) {
            if (block_ == end) {
                status_ = Status::done;
            } else if (!open_[block_] || shard_ == Layer::kShards) {
                if (open_[block_])
                    for (std::size_t s = 0; s < Layer::kShards; ++s)
                        open_states_ -= open_[block_]->shard(s).size;
                open_[block_].reset();
                ++block_;
                shard_ = place_ = 0;
            } else if (Layer::Shard& shard = open_[block_]->shard(shard_); place_ < shard.size) {
                expand(shard, place_++);
            } else {
                ++shard_;
                place_ = 0;
            }
            if (const Status budget = over_budget(); budget != Status::running) status_ = budget;
            if (step % kNodesPerCheck == 0 && Clock::now() >= deadline) break;
        }
    } catch (const std::bad_alloc&) {
        status_ = Status::out_of_memory;
    }
    if (status_ == Status::too_many_states || status_ == Status::out_of_memory) let_go();
    return status_;
}

void Counter::demand(bool ready, const char* what) const {
    if (!ready) throw std::logic_error(what);
}

std::vector<Limb> Counter::total() const {
    demand(status_ == Status::done, "the counter has not finished");
    return total_;
}

// The sum of the numbers below a node's children fits in as many limbs as the total.
bool Counter::weigh(double seconds) {
    demand(status_ == Status::done && keep_, "the counter has not finished, or kept no edges");
    const auto deadline = deadline_in(seconds);
    if (!weighing_) below_ = Pages<Limb>(limbs_);
    weighing_ = true;
    if (!below_.reach_until(states_, deadline)) return false;
    *below_.at(0) = 1;
    std::uint64_t steps = 0;
    for (; weighed_ < expanded_; ++weighed_) {
        if (++steps % kNodesPerCheck == 0 && Clock::now() >= deadline) return false;
        const std::uint32_t number = *order_.at(expanded_ - 1 - weighed_);
        const Node& node = *nodes_.at(number);
        for (std::uint64_t e = node.edges; e < node.edges + node.degree; ++e)
            add_limbs(below_.at(number), below_.at(edges_.at(e)->child), limbs_);
    }
    return true;
}

bool Counter::tally(double seconds) {
    demand(weighing_ && weighed_ == expanded_, "the counter has not been weighed");
    const auto deadline = deadline_in(seconds);
    if (!tallying_) {
        tallying_ = true;
        tallies_.assign(tallies_.size() * limbs_, 0);
        above_ = Pages<Limb>(limbs_);
    }
    if (!above_.reach_until(states_, deadline)) return false;
    if (expanded_ > 0) *above_.at(*order_.at(0)) = 1;
    std::uint64_t steps = 0;
    for (; tallied_ < expanded_; ++tallied_) {
        if (++steps % kNodesPerCheck == 0 && Clock::now() >= deadline) return false;
        const std::uint32_t number = *order_.at(tallied_);
        const Node& node = *nodes_.at(number);
        if (is_zero(below_.at(number), limbs_)) continue;  // on no solution
        for (std::uint64_t e = node.edges; e < node.edges + node.degree; ++e) {
            const Edge& edge = *edges_.at(e);
            if (is_zero(below_.at(edge.child), limbs_)) continue;
            add_limbs(above_.at(edge.child), above_.at(number), limbs_);
            if (edge.option >= 0)
                add_product(&tallies_[edge.option * limbs_], above_.at(number),
                            below_.at(edge.child), limbs_);
        }
    }
    return true;
}

std::vector<Index> Counter::unrank(const Limb* number) const {
    demand(weighing_ && weighed_ == expanded_, "the counter has not been weighed");
    if (!less_limbs(number, total_.data(), limbs_))
        throw std::out_of_range("there is no solution of this number");
    std::vector<Limb> rest(number, number + limbs_);
    std::vector<Index> solution;
    for (std::uint32_t at = expanded_ > 0 ? *order_.at(0) : 0; at != 0;) {
        const Node& node = *nodes_.at(at);
        std::uint64_t e = node.edges;
        while (!less_limbs(rest.data(), below_.at(edges_.at(e)->child), limbs_))
            subtract_limbs(rest.data(), below_.at(edges_.at(e++)->child), limbs_);
        if (edges_.at(e)->option >= 0) solution.push_back(edges_.at(e)->option);
        at = edges_.at(e)->child;
    }
    std::sort(solution.begin(), solution.end());
    return solution;
}

}  // namespace exactile
