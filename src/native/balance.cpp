#include "balance.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace exactile {

static constexpr std::size_t kFitted = 4096;  // states at least that a fit is made on
static constexpr int kSteps = 3;              // of a fit
static constexpr double kDamping = 0.7;       // of a step: more of them or larger ones are worse
static constexpr double kLongest = 1;         // change of a logarithm in a step
static constexpr double kLeastShare = 0.002;  // below it, and beyond 1 minus it, shares are equal
static constexpr double kMostFavor = 20;      // logarithm of the factor of all uses of an item
static constexpr double kPlain = 0.25;        // part of the measure that is the weight alone
static constexpr double kLeastMeasure = -80;  // logarithm, beside the largest one

Balance::Balance(const Plan& plan) : plan_(plan), favor_(plan.stock.size()) {
    for (const Stock& item : plan.stock)
        for (std::uint32_t bit = 0; bit < 64; bit += 8) {
            if ((item.field.mask << item.field.shift >> bit & 0xff) == 0) continue;
            const bool known = std::ranges::any_of(bytes_, [&](const Byte& byte) {
                return byte.word == item.field.word && byte.shift == bit;
            });
            if (!known) bytes_.push_back({item.field.word, bit, {}});
        }
}

static double logit(double share) {
    const double inner = std::clamp(share, kLeastShare, 1 - kLeastShare);
    return std::log(inner / (1 - inner));
}

// Note the weights and uses of some states, at equal distances.
void Balance::read(const std::uint64_t* states, std::span<const double> weights) {
    const std::size_t stride = plan_.words + 1;
    log_weight_.clear();
    uses_.clear();
    wanted_.assign(favor_.size(), 0);
    const std::size_t step = std::max<std::size_t>(1, weights.size() / kFitted);
    for (std::size_t k = 0; k < weights.size(); k += step) {
        const std::uint64_t* const state = states + k * stride;
        log_weight_.push_back(std::log(weights[k]));
        const std::uint64_t block = state[stride - 1];
        for (std::size_t i = 0; i < favor_.size(); ++i) {
            const Stock& item = plan_.stock[i];
            uses_.push_back(
                static_cast<float>(block > item.close ? item.uses : item.field.get(state)));
            wanted_[i] += item.decided[block];
        }
    }
    for (double& each : wanted_) each /= static_cast<double>(log_weight_.size());
}

void Balance::fit(const std::uint64_t* states, std::span<const double> weights) {
    if (favor_.empty()) return;
    read(states, weights);
    const std::size_t items = favor_.size(), count = log_weight_.size();
    std::vector<double> used(items);
    measure_.resize(count);
    for (int step = 0; step < kSteps; ++step) {
        double most = -std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; k < count; ++k) {
            measure_[k] = log_weight_[k];
            for (std::size_t i = 0; i < items; ++i)
                measure_[k] += favor_[i] * static_cast<double>(uses_[k * items + i]);
            most = std::max(most, measure_[k]);
        }
        double sum = 0;
        std::ranges::fill(used, 0);
        for (std::size_t k = 0; k < count; ++k) {
            const double measure = std::exp(measure_[k] - most);
            sum += measure;
            for (std::size_t i = 0; i < items; ++i)
                used[i] += measure * static_cast<double>(uses_[k * items + i]);
        }
        for (std::size_t i = 0; i < items; ++i) {
            const auto all = static_cast<double>(plan_.stock[i].uses);
            const double change = logit(wanted_[i]) - logit(used[i] / sum / all);
            const double favor =
                favor_[i] + kDamping * std::clamp(change, -kLongest, kLongest) / all;
            favor_[i] = std::clamp(favor, -kMostFavor / all, kMostFavor / all);
        }
    }
}

// The favor of a state is a sum over its bits, so over its bytes.
void Balance::tabulate() {
    std::vector<double> of_bit(64 * plan_.words);
    past_.assign(plan_.blocks.size() + 1, 0);
    for (std::size_t i = 0; i < favor_.size(); ++i) {
        const Stock& item = plan_.stock[i];
        double favor = favor_[i];
        for (std::uint64_t rest = item.field.mask << item.field.shift; rest != 0;
             rest &= rest - 1) {
            of_bit[64 * item.field.word + static_cast<std::size_t>(std::countr_zero(rest))] = favor;
            favor *= 2;
        }
        past_[item.close + 1] += favor_[i] * static_cast<double>(item.uses);
    }
    for (std::size_t b = 1; b < past_.size(); ++b) past_[b] += past_[b - 1];
    for (Byte& byte : bytes_) {
        byte.favor.assign(256, 0);
        for (std::uint32_t v = 1; v < 256; ++v)
            byte.favor[v] =
                byte.favor[v & (v - 1)] +
                of_bit[64 * byte.word + byte.shift + static_cast<std::size_t>(std::countr_zero(v))];
    }
}

void Balance::measure(const std::uint64_t* states, std::span<const double> weights,
                      std::vector<double>& measures) {
    if (favor_.empty()) {
        measures.assign(weights.begin(), weights.end());
        return;
    }
    tabulate();
    measures.resize(weights.size());
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < weights.size(); ++k) {
        const std::uint64_t* const state = states + k * (plan_.words + 1);
        double measure = std::log(weights[k]) + past_[state[plan_.words]];
        for (const Byte& byte : bytes_)
            measure += byte.favor[state[byte.word] >> byte.shift & 0xff];
        measures[k] = measure;
        most = std::max(most, measure);
    }
    double sum = 0, weight = 0;
    for (std::size_t k = 0; k < weights.size(); ++k) {
        measures[k] = std::exp(std::max(measures[k] - most, kLeastMeasure));
        sum += measures[k];
        weight += weights[k];
    }
    const double plain = kPlain * sum / weight;
    for (std::size_t k = 0; k < weights.size(); ++k) measures[k] += plain * weights[k];
}

}  // namespace exactile
