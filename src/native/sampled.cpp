#include "sampled.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "thinning.hpp"

namespace exactile {

static constexpr std::size_t kStatesPerCheck = 64;  // between two readings of the clock
static constexpr double kLarge = 0x1p600;           // weights beyond it are scaled
static constexpr int kScale = 512;
static constexpr std::size_t kMostInFours = 4096;  // words of a table of moves by single bits

SampledPlan::SampledPlan(const CountProblem& problem, const std::vector<bool>& supplied)
    : plan_(problem, Plan::Bits::given_again, supplied),
      steps_(plan_.anchors_of_moves()),
      levels_(plan_.blocks.empty() ? 0 : plan_.blocks.size() - 1),
      ready_(levels_ + 1),
      once_(levels_ + 1),
      prepared_(levels_ + 1) {
    for (std::size_t b = 0; b < levels_; ++b)
        block_of_move_.resize(plan_.blocks[b + 1].moves, static_cast<std::uint32_t>(b));
    if (plan_.words > Masks::kShort) return;
    passages_.resize((levels_ + 1) * plan_.words * 3);
    for (std::size_t b = 0; b < levels_; ++b) {
        std::uint64_t* const row = &passages_[b * plan_.words * 3];
        const Field& anchor = plan_.blocks[b].anchor;
        row[anchor.word] = anchor.mask << anchor.shift;
        std::copy_n(plan_.required.words_of(b), plan_.words, row + plan_.words);
        std::copy_n(plan_.leaving.words_of(b), plan_.words, row + 2 * plan_.words);
    }
}

const SampledPlan::Prepared& SampledPlan::prepare(std::size_t block) const {
    std::call_once(once_[block], [&] {
        Prepared made;  // of its own until it is whole: after an error another thread tries again
        made.demands = plan_.demands(block);
        prepare_moves(block, made);
        prepared_[block] = std::move(made);
        ready_[block].store(true, std::memory_order_release);
    });
    return prepared_[block];
}

// Groups of four bits are quick to look up, but take more memory than those of two.
void SampledPlan::prepare_moves(std::size_t block, Prepared& made) const {
    const std::size_t begin = plan_.blocks[block].moves;
    made.count = plan_.blocks[block + 1].moves - begin;
    made.words = (made.count + 63) / 64;
    std::vector<std::uint64_t> excluded(made.words * plan_.words * 64);  // by each bit
    std::vector<bool> excludes(plan_.words * 64);
    for (std::size_t m = 0; m < made.count; ++m)
        plan_.taken.each_bit(begin + m, [&](std::size_t bit) {
            excluded[bit * made.words + m / 64] |= std::uint64_t{1} << m % 64;
            excludes[bit] = true;
        });
    made.bits = excluded.size() <= kMostInFours ? 4 : 2;
    for (std::size_t bit = 0; bit < excludes.size(); bit += static_cast<std::size_t>(made.bits)) {
        const auto first = excludes.begin() + static_cast<std::ptrdiff_t>(bit);
        if (std::none_of(first, first + made.bits, [](bool one) { return one; })) continue;
        made.groups.push_back(
            {static_cast<std::uint32_t>(bit / 64), static_cast<std::uint32_t>(bit % 64)});
        const std::size_t values = std::size_t{1} << made.bits, start = made.allowed.size();
        made.allowed.resize(start + values * made.words, ~std::uint64_t{0});
        for (std::size_t v = 1; v < values; ++v)
            for (std::size_t j = 0; j < made.words; ++j)
                made.allowed[start + v * made.words + j] =
                    made.allowed[start + (v & (v - 1)) * made.words + j] &
                    ~excluded[(bit + static_cast<std::size_t>(std::countr_zero(v))) * made.words +
                              j];
    }
}

std::unique_ptr<Workspace> SampledPlan::borrow() const {
    const std::lock_guard lock(lending_);
    if (spaces_.empty()) return std::make_unique<Workspace>();
    std::unique_ptr<Workspace> space = std::move(spaces_.back());
    spaces_.pop_back();
    return space;
}

void SampledPlan::give_back(std::unique_ptr<Workspace> space) const {
    const std::lock_guard lock(lending_);
    spaces_.push_back(std::move(space));
}

SampledRun::SampledRun(std::shared_ptr<const SampledPlan> shared, SampledOptions options,
                       std::uint64_t seed)
    : shared_(std::move(shared)),
      plan_(shared_->plan()),
      options_(options),
      expand_(expand_for(plan_.words)),
      dice_(seed),
      balance_(plan_),
      space_(shared_->borrow()) {
    if (!plan_.feasible) {
        over_ = true;
        return;
    }
    open_.resize(shared_->levels() + 1);
    hints_.resize(shared_->levels() + 1);
    next_.assign(plan_.words, 0);
    arrive(0, next_.data(), 0, {1.0, Step::kNone, Step::kNone});
}

static_assert(Masks::kShort == 4);

SampledRun::Expand SampledRun::expand_for(std::size_t words) {
    switch (words) {
        case 1:
            return &SampledRun::expand<1>;
        case 2:
            return &SampledRun::expand<2>;
        case 3:
            return &SampledRun::expand<3>;
        case 4:
            return &SampledRun::expand<4>;
        default:
            return &SampledRun::expand<0>;
    }
}

std::uint64_t SampledRun::allowed(std::size_t level) const {
    const bool last = level + options_.last >= shared_->levels();
    return last ? std::max(options_.states, options_.endings) : options_.states;
}

Population& SampledRun::at(std::size_t level) {
    if (!open_[level])
        open_[level] = std::make_unique<Population>(plan_.words, options_.most, options_.traced,
                                                    space_->spare);
    return *open_[level];
}

// Finish a block, and those after it whose anchors are used; false if the state has no future.
template <std::size_t Words>
inline bool SampledRun::pass(std::size_t& block, std::uint64_t* state) const {
    if (Words == 0 || !plan_.bounds.empty()) {
        do {
            if (!plan_.settle<Words>(block++, state)) return false;
        } while (block < shared_->levels() && plan_.anchored(block, state));
        return true;
    }
    for (const std::uint64_t* row = shared_->passage(block);;) {
        std::uint64_t missing = 0, used = 0;
        for (std::size_t w = 0; w < Words; ++w) {
            missing |= row[Words + w] & ~state[w];
            state[w] &= ~row[2 * Words + w];
        }
        if (missing != 0) return false;
        ++block;
        row += 3 * Words;
        for (std::size_t w = 0; w < Words; ++w) used |= row[w] & state[w];
        if (used == 0) return true;
    }
}

// A state before a block, which a step led to.
inline void SampledRun::arrive(std::size_t block, const std::uint64_t* state, std::size_t level,
                               const Step& step) {
    ++made_;
    if (block == shared_->levels()) {
        total_ += step.weight;
        if (options_.traced) ends_.push_back(step);
        reached_ = block;
        return;
    }
    Population& there = at(level);
    there.add(state, static_cast<std::uint32_t>(block), step);
    if (there.size() < options_.most) return;
    settle(there);
    if (there.size() * 2 >= options_.most) thin(level, allowed(level));
}

// The moves that a state allows, as bits; `Count` is the number of words if it is known, else 0.
template <std::size_t Count>
void SampledRun::find_free(const SampledPlan::Prepared& prepared, const std::uint64_t* state) {
    const std::size_t words = Count > 0 ? Count : prepared.words;
    const std::size_t last = (std::size_t{1} << prepared.bits) - 1;
    std::array<std::uint64_t, Count> local;
    std::uint64_t* const free = Count > 0 ? local.data() : free_.data();
    std::fill_n(free, words, ~std::uint64_t{0});
    if (prepared.count % 64 != 0) free[words - 1] = (std::uint64_t{1} << prepared.count % 64) - 1;
    const std::uint64_t* table = prepared.allowed.data();
    for (const auto [word, shift] : prepared.groups) {
        const std::uint64_t* const allowed = table + (state[word] >> shift & last) * words;
        for (std::size_t j = 0; j < words; ++j) free[j] &= allowed[j];
        table += (last + 1) * words;
    }
    if (Count > 0) std::copy_n(free, words, free_.data());
}

template <std::size_t Words>
void SampledRun::expand(std::size_t k) {
    const Population& here = *open_[level_];
    const std::uint64_t* const state = here.state(k);
    const std::size_t number = here.block(k);
    Step step{here.weight(k), static_cast<std::uint32_t>(passed_ + k), Step::kNone};
    const Block& block = plan_.blocks[number];
    const SampledPlan::Prepared& prepared = shared_->prepared(number);
    const std::size_t words = prepared.words;
    if (free_.size() < words) free_.resize(words);
    switch (words) {
        case 0:
            break;
        case 1:
            find_free<1>(prepared, state);
            break;
        case 2:
            find_free<2>(prepared, state);
            break;
        case 3:
            find_free<3>(prepared, state);
            break;
        case 4:
            find_free<4>(prepared, state);
            break;
        default:
            find_free<0>(prepared, state);
    }
    const std::uint64_t* const free = free_.data();
    std::array<std::uint64_t, Words> local;
    std::uint64_t* const next = Words > 0 ? local.data() : next_.data();
    for (std::size_t j = 0; j < words; ++j)
        for (std::uint64_t rest = free[j]; rest != 0; rest &= rest - 1) {
            const std::size_t m =
                block.moves + 64 * j + static_cast<std::size_t>(std::countr_zero(rest));
            step.move = static_cast<std::uint32_t>(m);
            std::size_t after = number;
            if (plan_.apply<Words>(m, state, next) && pass<Words>(after, next))
                arrive(after, next, level_ + shared_->step(m), step);
        }
    if (!block.must) {
        std::copy_n(state, plan_.words, next);
        step.move = Step::kNone;
        std::size_t after = number;
        if (pass<Words>(after, next)) arrive(after, next, level_ + 1, step);
    }
}

// Whether a state has no future, as far as can be seen.
bool SampledRun::hopeless(const Population& here, std::size_t k) {
    const std::uint32_t block = here.block(k), move = here.move(k);
    const bool skipped = move == Step::kNone;
    return shared_->prepared(block).demands.hopeless(
        here.state(k), plan_, skipped ? Demands::kNothing : move,
        skipped ? 0 : shared_->block(move), hints_[block]);
}

// Merge equal states, and drop those without a future.
void SampledRun::settle(Population& here) {
    const std::size_t known = here.merged();
    here.merge(equal());
    if (!options_.prune) return;
    chosen_.resize(known);
    std::iota(chosen_.begin(), chosen_.end(), 0);
    for (std::size_t k = known; k < here.size(); ++k)
        if (!hopeless(here, k)) chosen_.push_back(static_cast<std::uint32_t>(k));
    if (chosen_.size() < here.size()) here.select(chosen_);
}

void SampledRun::thin(std::size_t level, std::uint64_t most) {
    Population& here = *open_[level];
    if (here.size() <= most) return;
    thinned_ = true;
    if (options_.balance) {
        if (level == level_) balance_.fit(here.state(0), here.weights());
        balance_.measure(here.state(0), here.weights(), measures_);
    }
    const double* const measures = options_.balance ? measures_.data() : here.weights().data();
    chosen_.clear();
    thin_out(
        here.size(), most, dice_, [&](std::size_t k) { return measures[k]; },
        [&](std::size_t k, double measure) {
            here.set_weight(k, here.weight(k) * (measure / measures[k]));
            chosen_.push_back(static_cast<std::uint32_t>(k));
        });
    here.select(chosen_);
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

void SampledRun::finish() {
    over_ = true;
    if (!space_) return;
    for (const auto& population : open_)
        if (population) population->leave();
    open_.clear();
    shared_->give_back(std::move(space_));
}

bool SampledRun::advance(double seconds) {
    const auto deadline = deadline_in(seconds);
    const std::size_t end = shared_->levels();
    for (std::size_t step = 1; !over_; ++step) {
        if (level_ >= end) {
            finish();
        } else if (!open_[level_]) {
            ++level_;
        } else if (!begun_) {
            begun_ = true;
            place_ = 0;
            reached_ = std::max(reached_, level_);
            settle(*open_[level_]);
            thin(level_, allowed(level_));
            rescale();
            passed_ = trails_.first.size();
            open_[level_]->hand_over(trails_);
        } else if (place_ < open_[level_]->size()) {
            (this->*expand_)(place_++);
        } else {
            open_[level_]->leave();
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
