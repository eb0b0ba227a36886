// What the future of a state promises, learned from runs that are over.
//
// Going back along the ways of a run, the weight at its end that each state is worth is known: its
// worth. A potential is to prefer states as if each were worth about as much as it will be. It is
// log-linear: e to the sum of a number for the block and the level and one for each bit of the
// state. These are fitted so that the states of a block, weighted with the potential, have each bit
// as often as weighted with their worth.

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <vector>

#include "sampled.hpp"

namespace exactile {

static constexpr double kStep = 0.4;    // of a round; bits depend on each other
static constexpr double kMostBit = 4;   // a number of a bit is no larger
static constexpr double kLeast = 1e-3;  // a part of a block that has a bit is no smaller

class Learner {
public:
    Learner(const SampledPlan& plan, double shrink)
        : words_(plan.plan().words), blocks_(plan.levels()), shrink_(shrink) {
        potential_ = std::make_shared<Potential>();
        potential_->words = words_;
        potential_->blocks = blocks_;
        potential_->bits.assign(blocks_ * bits(), 0);
        potential_->bases.assign((plan.levels() + 1) * blocks_, Potential::kUnknown);
    }

    void read(const SampledRun& run) {
        const std::vector<double> worth = worths(run);
        for (std::size_t level = 0; level < run.traced_.size(); ++level) {
            const SampledRun::Traced& traced = run.traced_[level];
            const Population& states = traced.states;
            double before = 0, behind = 0;
            for (std::size_t k = 0; k < states.size(); ++k) {
                before += states.weight(k);
                behind += states.weight(k) * worth[traced.first + k];
            }
            if (!(before > 0 && behind > 0)) continue;
            for (std::size_t k = 0; k < states.size(); ++k)
                seen_.push_back({states.state(k), level, states.block(k),
                                 states.weight(k) / before,
                                 states.weight(k) * worth[traced.first + k] / behind});
        }
    }

    std::shared_ptr<Potential> fit(int rounds) {
        find_targets();
        for (int round = 0; round < rounds; ++round) improve(round + 1 == rounds);
        center();
        return potential_;
    }

private:
    struct Seen {
        const std::uint64_t* state;
        std::size_t level, block;
        double before;  // the part of its level by weight
        double behind;  // and by worth
    };

    std::size_t bits() const { return 64 * words_; }
    std::size_t cell(const Seen& seen) const { return seen.level * blocks_ + seen.block; }

    template <typename Use>
    void each_bit(const Seen& seen, Use use) const {
        for (std::size_t w = 0; w < words_; ++w)
            for (std::uint64_t rest = seen.state[w]; rest != 0; rest &= rest - 1)
                use(seen.block * bits() + 64 * w +
                    static_cast<std::size_t>(std::countr_zero(rest)));
    }

    // What each state is worth. Of a run that died, those that came furthest are worth one.
    // Numbers are kept small: they grow by a constant factor from level to level.
    static std::vector<double> worths(const SampledRun& run) {
        std::vector<double> worth(run.numbers_, 0);
        const std::size_t end = run.traced_.size() - 1;
        const bool died = run.ends_.empty();
        const SampledRun::Traced& last = run.traced_[run.reached_];
        double sum = run.total_;
        if (died) {
            sum = 0;
            for (std::size_t k = 0; k < last.states.size(); ++k) {
                sum += last.states.weight(k);
                worth[last.first + k] = 1;
            }
        }
        const double growth = (std::log2(std::max(sum, 1.0)) + run.exponent_) /
                              static_cast<double>(std::max<std::size_t>(run.reached_, 1));
        std::vector<std::uint32_t> level_of(run.numbers_);
        for (std::size_t level = 0; level <= end; ++level)
            for (std::size_t k = 0; k < run.traced_[level].states.size(); ++k)
                level_of[run.traced_[level].first + k] = static_cast<std::uint32_t>(level);
        const auto faded = [&](std::size_t level, std::uint32_t from) {
            return std::exp2(-growth * static_cast<double>(level - level_of[from]));
        };
        for (const auto& link : run.ends_) worth[link.from] += faded(end, link.from);
        for (std::size_t level = end; level-- > 0;) {
            const SampledRun::Traced& traced = run.traced_[level];
            for (const auto& link : traced.links)
                worth[link.from] += worth[traced.first + link.to] * traced.raised[link.to] *
                                    faded(level, link.from);
        }
        return worth;
    }

    // How often each bit is to occur, and how much of a level is to be before each block: what the
    // runs say, and what is there without a potential where they say little.
    void find_targets() {
        const std::size_t cells = potential_->bases.size();
        std::vector<double> squares(cells), block_squares(blocks_), bit_before(blocks_ * bits());
        std::vector<double> behind(cells), before(cells), block_before(blocks_);
        std::vector<double> block_behind(blocks_), bit_behind(blocks_ * bits());
        for (const Seen& seen : seen_) {
            before[cell(seen)] += seen.before;
            behind[cell(seen)] += seen.behind;
            squares[cell(seen)] += seen.behind * seen.behind;
            block_before[seen.block] += seen.before;
            block_behind[seen.block] += seen.behind;
            block_squares[seen.block] += seen.behind * seen.behind;
            each_bit(seen, [&](std::size_t bit) {
                bit_before[bit] += seen.before;
                bit_behind[bit] += seen.behind;
            });
        }
        const auto shrunk = [&](double number, double part, double prior) {
            return (number * part + shrink_ * prior) / (number + shrink_);
        };
        const auto effective = [](double sum, double sum_of_squares) {
            return sum_of_squares > 0 ? sum * sum / sum_of_squares : 0;
        };
        share_.assign(cells, 0);
        for (std::size_t c = 0; c < cells; ++c)
            if (before[c] > 0) {
                share_[c] = shrunk(effective(behind[c], squares[c]), behind[c], before[c]);
                potential_->bases[c] = static_cast<float>(std::log(share_[c] / before[c]));
            }
        target_.assign(blocks_ * bits(), 0);
        for (std::size_t b = 0; b < blocks_; ++b) {
            if (!(block_before[b] > 0)) continue;
            const double number = effective(block_behind[b], block_squares[b]);
            for (std::size_t k = b * bits(); k < (b + 1) * bits(); ++k)
                target_[k] = shrunk(number, block_behind[b] > 0 ? bit_behind[k] / block_behind[b] : 0,
                                    bit_before[k] / block_before[b]);
        }
    }

    void improve(bool last) {
        std::vector<double> blocks(blocks_), found(blocks_ * bits()), cells(share_.size());
        for (const Seen& seen : seen_) {
            double sum = potential_->bases[cell(seen)];
            each_bit(seen, [&](std::size_t bit) { sum += potential_->bits[bit]; });
            const double tilted = seen.before * std::exp(std::clamp<double>(sum, -30, 30));
            blocks[seen.block] += tilted;
            cells[cell(seen)] += tilted;
            if (!last) each_bit(seen, [&](std::size_t bit) { found[bit] += tilted; });
        }
        for (std::size_t c = 0; c < cells.size(); ++c)
            if (cells[c] > 0)
                potential_->bases[c] += static_cast<float>(std::log(share_[c] / cells[c]));
        if (last) return;
        const auto odds = [](double part) {
            part = std::clamp(part, kLeast, 1 - kLeast);
            return std::log(part / (1 - part));
        };
        for (std::size_t b = 0; b < blocks_; ++b) {
            if (!(blocks[b] > 0)) continue;
            for (std::size_t k = b * bits(); k < (b + 1) * bits(); ++k) {
                const double change = odds(target_[k]) - odds(found[k] / blocks[b]);
                potential_->bits[k] = static_cast<float>(
                    std::clamp(potential_->bits[k] + kStep * change, -kMostBit, kMostBit));
            }
        }
    }

    // The mean of a level becomes one.
    void center() {
        const std::size_t levels = potential_->bases.size() / std::max<std::size_t>(blocks_, 1);
        std::vector<double> sum(levels), weight(levels);
        for (const Seen& seen : seen_) {
            sum[seen.level] +=
                seen.before * potential_->of(seen.level, seen.block, seen.state);
            weight[seen.level] += seen.before;
        }
        for (std::size_t level = 0; level < levels; ++level)
            for (std::size_t b = 0; b < blocks_; ++b) {
                float& base = potential_->bases[level * blocks_ + b];
                if (base != Potential::kUnknown && sum[level] > 0)
                    base -= static_cast<float>(std::log(sum[level] / weight[level]));
            }
    }

    std::size_t words_, blocks_;
    double shrink_;
    std::vector<Seen> seen_;
    std::vector<double> share_, target_;
    std::shared_ptr<Potential> potential_;
};

std::shared_ptr<Potential> learn(const SampledPlan& plan,
                                 const std::vector<const SampledRun*>& runs, double shrink,
                                 int rounds) {
    Learner learner(plan, shrink);
    for (const SampledRun* run : runs) learner.read(*run);
    return learner.fit(rounds);
}

}  // namespace exactile
