#include "sampled.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <new>
#include <utility>

#include "thinning.hpp"

namespace exactile {

static constexpr std::size_t kStatesPerCheck = 64;  // between two readings of the clock
static constexpr double kLarge = 0x1p600;           // weights beyond it are scaled
static constexpr int kScale = 512;
SampledPlan::SampledPlan(const CountProblem& problem, const std::vector<bool>& supplied)
    : plan_(problem, Plan::Bits::given_again, supplied),
      steps_(plan_.anchors_of_moves()),
      levels_(plan_.blocks.empty() ? 0 : plan_.blocks.size() - 1),
      once_(levels_ + 1),
      prepared_(levels_ + 1) {}

const SampledPlan::Prepared& SampledPlan::prepared(std::size_t block) const {
    std::call_once(once_[block], [&] {
        Prepared& made = prepared_[block];
        made.demands = plan_.demands(block);
        const std::size_t begin = plan_.blocks[block].moves;
        made.count = plan_.blocks[block + 1].moves - begin;
        made.words = (made.count + 63) / 64;
        made.excluded.assign(made.words * plan_.words * 64, 0);
        for (std::size_t m = 0; m < made.count; ++m)
            plan_.taken.each_bit(begin + m, [&](std::size_t bit) {
                made.excluded[bit * made.words + m / 64] |= std::uint64_t{1} << m % 64;
            });
    });
    return prepared_[block];
}

std::uint64_t Population::hash_of(const std::uint64_t* state) const {
    std::uint64_t h = 0x9e3779b97f4a7c15;
    for (std::size_t w = 0; w <= words_; ++w) {
        h = (h ^ state[w]) * 0xbf58476d1ce4e5b9;
        h ^= h >> 31;
    }
    h *= 0x94d049bb133111eb;
    return h ^ h >> 29;
}

static constexpr std::uint64_t kPlace = 0xffffffff;

Population::Population(std::size_t words, bool traced, Spare& spare)
    : words_(words),
      traced_(traced),
      states_(std::exchange(spare.states, {})),
      weights_(std::exchange(spare.weights, {})),
      slots_(std::exchange(spare.slots, {})) {
    states_.clear();
    weights_.clear();
    std::fill(slots_.begin(), slots_.end(), 0);
}

void Population::place_all() {
    const std::size_t least = std::bit_ceil(std::max<std::size_t>(1024, size() * 8));
    if (slots_.size() < least)
        slots_ = std::vector<std::uint64_t>(least);
    else
        std::fill(slots_.begin(), slots_.end(), 0);
    const std::size_t last = slots_.size() - 1;
    for (std::size_t k = 0; k < size(); ++k) {
        const std::uint64_t hash = hash_of(state(k));
        std::size_t at = hash & last;
        while (slots_[at] != 0) at = (at + 1) & last;
        slots_[at] = (hash & ~kPlace) | (k + 1);
    }
}

void Population::prefetch_state(std::uint64_t hash) const {
    if (slots_.empty()) return;
    const std::uint64_t slot = slots_[hash & (slots_.size() - 1)];
    if (slot == 0) return;
    const std::size_t k = (slot & kPlace) - 1;
    __builtin_prefetch(state(k));
    __builtin_prefetch(&weights_[k]);
}

const Step& Trails::step_to(std::uint32_t state, Dice& dice) const {
    const std::size_t end = state + 1 < first.size() ? first[state + 1] : steps.size();
    double sum = 0;
    for (std::size_t k = first[state]; k < end; ++k) sum += steps[k].weight;
    double due = sum * dice.fraction();
    for (std::size_t k = first[state]; k + 1 < end; ++k)
        if ((due -= steps[k].weight) < 0) return steps[k];
    return steps[end - 1];
}

void Population::link(std::size_t k, const Step& step) {
    if (!traced_) return;
    if (k == last_.size()) last_.push_back(Step::kNone);
    links_.push_back({step, last_[k]});
    last_[k] = static_cast<std::uint32_t>(links_.size() - 1);
}

template <typename Refuse>
void Population::add(const std::uint64_t* state, const Step& step, const std::uint64_t* hash,
                     Refuse refuse) {
    std::uint64_t* slot = nullptr;
    if (hash != nullptr) {
        if (size() * 2 >= slots_.size()) place_all();
        const std::size_t last = slots_.size() - 1;
        std::size_t at = *hash & last;
        for (; slots_[at] != 0; at = (at + 1) & last) {
            if (((slots_[at] ^ *hash) & ~kPlace) != 0) continue;
            const std::size_t k = (slots_[at] & kPlace) - 1;
            if (!std::equal(state, state + words_ + 1, this->state(k))) continue;
            weights_[k] += step.weight;
            link(k, step);
            return;
        }
        slot = &slots_[at];
    }
    if (refuse()) return;
    if (slot != nullptr) *slot = (*hash & ~kPlace) | (size() + 1);
    states_.insert(states_.end(), state, state + words_ + 1);
    link(size(), step);
    weights_.push_back(step.weight);
}

void Population::scale(double factor) {
    for (double& weight : weights_) weight *= factor;
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
            links.back().step.weight *= weights_[k] / sum;
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
    for (std::size_t k = 0; k < chosen.size(); ++k) {
        if (chosen[k] == k) continue;
        std::copy_n(&states_[chosen[k] * stride], stride, &states_[k * stride]);
        weights_[k] = weights_[chosen[k]];
    }
    states_.resize(chosen.size() * stride);
    weights_.resize(chosen.size());
    if (!slots_.empty()) place_all();
}

void Population::forget_places(Spare& spare) {
    if (slots_.size() > spare.slots.size()) spare.slots = std::move(slots_);
    slots_ = {};
    states_.shrink_to_fit();
    weights_.shrink_to_fit();
}

void Population::leave(Spare& spare) {
    spare.states = std::move(states_);
    spare.weights = std::move(weights_);
}

SampledRun::SampledRun(std::shared_ptr<const SampledPlan> shared, SampledOptions options,
                       std::uint64_t seed)
    : shared_(std::move(shared)),
      plan_(shared_->plan()),
      options_(options),
      dice_(seed),
      balance_(plan_) {
    if (!plan_.feasible) {
        over_ = true;
        return;
    }
    open_.resize(shared_->levels() + 1);
    hints_.resize(shared_->levels() + 1);
    next_.assign(plan_.words + 1, 0);
    arrive(0, next_.data(), 0, {1.0, Step::kNone, Step::kNone});
    add_arrived();
}

std::uint64_t SampledRun::allowed(std::size_t level) const {
    const bool last = level + options_.last >= shared_->levels();
    return last ? std::max(options_.states, options_.endings) : options_.states;
}

Population& SampledRun::at(std::size_t level) {
    if (!open_[level])
        open_[level] = std::make_unique<Population>(plan_.words, options_.traced, spare_);
    return *open_[level];
}

// A state before a block, which a step led to.
void SampledRun::arrive(std::size_t block, std::uint64_t* state, std::size_t level,
                        const Step& step) {
    const std::size_t end = shared_->levels();
    while (block < end && plan_.anchored(block, state))
        if (!plan_.settle(block++, state)) return;
    ++made_;
    if (block == end) {
        total_ += step.weight;
        if (options_.traced) ends_.push_back(step);
        reached_ = end;
        return;
    }
    state[plan_.words] = block;
    std::uint64_t hash = 0;
    if (options_.merge) {
        const Population& there = at(level);
        hash = there.hash_of(state);
        there.prefetch_slot(hash);
    }
    arrived_.push_back({step, level, hash});
    arrived_states_.insert(arrived_states_.end(), state, state + plan_.words + 1);
}

// They are added together, since looking for their places would wait for the memory each time.
void SampledRun::add_arrived() {
    if (options_.merge)
        for (const Arrived& one : arrived_) at(one.level).prefetch_state(one.hash);
    const std::uint64_t* state = arrived_states_.data();
    for (const Arrived& one : arrived_) {
        Population& there = at(one.level);
        const std::size_t block = state[plan_.words];
        const bool skipped = one.step.move == Step::kNone;
        const std::size_t took = skipped ? Demands::kNothing : one.step.move;
        const std::size_t earlier = skipped ? 0 : block_;
        there.add(state, one.step, options_.merge ? &one.hash : nullptr, [&] {
            return options_.prune && shared_->prepared(block).demands.hopeless(
                                         state, plan_, took, earlier, hints_[block]);
        });
        if (there.size() >= options_.most) thin(one.level, allowed(one.level));
        state += plan_.words + 1;
    }
    arrived_.clear();
    arrived_states_.clear();
}

void SampledRun::expand(std::size_t k) {
    const Population& here = *open_[level_];
    const std::uint64_t* const state = here.state(k);
    const std::size_t number = here.block(k);
    Step step{here.weight(k), static_cast<std::uint32_t>(passed_ + k), Step::kNone};
    const Block& block = plan_.blocks[number];
    const SampledPlan::Prepared& prepared = shared_->prepared(number);
    block_ = number;
    free_.assign(prepared.words, ~std::uint64_t{0});
    if (prepared.count % 64 != 0 && prepared.words > 0)
        free_.back() = (std::uint64_t{1} << prepared.count % 64) - 1;
    std::uint64_t* const free = free_.data();
    const std::size_t words = prepared.words;
    for (std::size_t w = 0; w < plan_.words; ++w)
        for (std::uint64_t rest = state[w]; rest != 0; rest &= rest - 1) {
            const std::uint64_t* const mask =
                &prepared
                     .excluded[(w * 64 + static_cast<std::size_t>(std::countr_zero(rest))) * words];
            for (std::size_t j = 0; j < words; ++j) free[j] &= ~mask[j];
        }
    for (std::size_t j = 0; j < words; ++j)
        for (std::uint64_t rest = free[j]; rest != 0; rest &= rest - 1) {
            const std::size_t m =
                block.moves + 64 * j + static_cast<std::size_t>(std::countr_zero(rest));
            step.move = static_cast<std::uint32_t>(m);
            if (plan_.apply(m, state, next_.data()) && plan_.settle(number, next_.data()))
                arrive(number + 1, next_.data(), level_ + shared_->step(m), step);
        }
    if (!block.must) {
        std::copy_n(state, plan_.words, next_.begin());
        step.move = Step::kNone;
        if (plan_.settle(number, next_.data())) arrive(number + 1, next_.data(), level_ + 1, step);
    }
    add_arrived();
}

void SampledRun::thin(std::size_t level, std::uint64_t most) {
    Population& here = *open_[level];
    if (here.size() <= most) return;
    thinned_ = true;
    if (options_.balance) {
        if (level == level_) balance_.fit(here.state(0), here.weights());
        balance_.measure(here.state(0), here.weights(), measures_);
    } else {
        measures_ = here.weights();
    }
    std::vector<std::uint32_t> chosen;
    chosen.reserve(most + most / 64 + 16);
    thin_out(
        here.size(), most, dice_, [&](std::size_t k) { return measures_[k]; },
        [&](std::size_t k, double measure) {
            here.set_weight(k, here.weight(k) * (measure / measures_[k]));
            chosen.push_back(static_cast<std::uint32_t>(k));
        });
    here.select(chosen);
}

// Weights of any size: all of them are scaled, exactly, when some become large.
void SampledRun::rescale() {
    const Population& here = *open_[level_];
    double most = total_;
    for (std::size_t k = 0; k < here.size(); ++k) most = std::max(most, here.weight(k));
    if (most < kLarge) return;
    const double factor = std::ldexp(1.0, -kScale);
    for (const auto& population : open_)
        if (population) population->scale(factor);
    for (Step& step : ends_) step.weight *= factor;
    total_ *= factor;
    exponent_ += kScale;
}

bool SampledRun::advance(double seconds) {
    const auto deadline = deadline_in(seconds);
    const std::size_t end = shared_->levels();
    for (std::size_t step = 1; !over_; ++step) {
        if (level_ >= end) {
            over_ = true;
            open_.clear();
        } else if (!open_[level_]) {
            ++level_;
        } else if (!begun_) {
            begun_ = true;
            place_ = 0;
            reached_ = std::max(reached_, level_);
            thin(level_, allowed(level_));
            open_[level_]->forget_places(spare_);
            rescale();
            passed_ = trails_.first.size();
            open_[level_]->hand_over(trails_);
        } else if (place_ < open_[level_]->size()) {
            expand(place_++);
        } else {
            open_[level_]->leave(spare_);
            open_[level_].reset();
            begun_ = false;
            ++level_;
        }
        if (step % kStatesPerCheck == 0 && Clock::now() >= deadline) break;
    }
    return over_;
}

Paths SampledRun::draw(std::size_t number, std::uint64_t seed) const {
    Dice dice(seed);
    std::vector<double> sums;
    for (const Step& step : ends_) sums.push_back(step.weight + (sums.empty() ? 0 : sums.back()));
    Paths drawn;
    std::vector<Index> path;
    for (; number > 0 && !sums.empty(); --number) {
        const auto found = std::ranges::upper_bound(sums, sums.back() * dice.fraction());
        const Step* step = &ends_[std::min<std::size_t>(
            static_cast<std::size_t>(found - sums.begin()), ends_.size() - 1)];
        for (path.clear();; step = &trails_.step_to(step->before, dice)) {
            if (step->move != Step::kNone) path.push_back(plan_.moves[step->move].option);
            if (step->before == Step::kNone) break;
        }
        std::ranges::sort(path);
        drawn.add(path);
    }
    return drawn;
}

}  // namespace exactile
