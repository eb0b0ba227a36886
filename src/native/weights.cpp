#include "weights.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "deadline.hpp"

namespace exactile {

namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kRowsAtOnce = 64;  // between two readings of the clock

// The inverse of a unit modulo m, by Euclid.
std::uint64_t inverse(std::uint64_t unit, std::uint64_t m) {
    std::int64_t now = 1, before = 0;
    std::int64_t a = static_cast<std::int64_t>(unit % m), b = static_cast<std::int64_t>(m);
    while (a > 1) {
        const std::int64_t quotient = b / a;
        b -= quotient * a;
        before -= quotient * now;
        std::swap(a, b);
        std::swap(now, before);
    }
    const auto modulus = static_cast<std::int64_t>(m);
    return static_cast<std::uint64_t>((now % modulus + modulus) % modulus);
}

}  // namespace

Weights::Weights(std::uint32_t q, std::vector<std::int64_t> first, std::vector<Index> members,
                 const std::vector<std::int64_t>& totals)
    : q_(q),
      first_(std::move(first)),
      members_(std::move(members)),
      solution_(totals.size()),
      generators_(totals.size()),
      column_(totals.size()),
      replaced_(totals.size()),
      meaning_(totals.size()),
      used_(totals.size()),
      value_(totals.size()),
      is_touched_(totals.size()) {
    if (q < 2 || q > std::numeric_limits<std::int32_t>::max())
        throw std::invalid_argument("the modulus must be from 2 to 2^31 - 1");
    if (first_.empty() || first_.front() != 0 || !std::is_sorted(first_.begin(), first_.end()) ||
        first_.back() != static_cast<std::int64_t>(members_.size()))
        throw std::invalid_argument("the rows do not fit the members");
    for (const Index column : members_)
        if (column < 0 || static_cast<std::size_t>(column) >= totals.size())
            throw std::invalid_argument("a row has a column that there is not");
    for (std::uint32_t column = 0; column < totals.size(); ++column) {
        column_[column] = used_[column] = column;
        if (totals[column] < 0) throw std::invalid_argument("totals must not be negative");
        weigh_solution(column, static_cast<std::uint64_t>(totals[column]));
    }
    bytes_ = totals.size() * (sizeof(Sum) + 3 * sizeof(std::uint64_t)) +
             members_.size() * sizeof(Index) + first_.size() * sizeof(std::int64_t);
}

void Weights::run(double seconds) {
    const Clock::time_point end = deadline_in(seconds);
    while (!finished()) {
        for (std::size_t i = 0; i < kRowsAtOnce && !finished(); ++i, ++row_) take_row();
        if (Clock::now() >= end) return;
    }
}

void Weights::take_row() {
    const auto begin = static_cast<std::size_t>(first_[row_]);
    const auto end = static_cast<std::size_t>(first_[row_ + 1]);
    for (std::size_t k = begin; k < end; ++k) settle(static_cast<std::uint32_t>(members_[k]));
    for (std::size_t k = begin; k < end; ++k) add(static_cast<std::uint32_t>(members_[k]), 1);
    const Sum row = taken();
    if (!row.empty()) cut(row);
}

std::vector<std::int64_t> Weights::dense() {
    std::vector<std::size_t> place(used_.size(), 0);
    std::size_t width = 0;
    for (std::size_t column = 0; column < used_.size(); ++column) {
        place[column] = width;
        width += used_[column] != kNone;
    }
    std::vector<std::int64_t> rows((used_.size() + 1) * width, 0);
    for (auto column = static_cast<std::uint32_t>(used_.size()); column-- > 0;) {
        settle(column);
        add(column, 1);
        for (const Term& term : taken())
            rows[column * width + place[column_[term.generator]]] = term.times;
    }
    for (std::size_t column = 0; column < used_.size(); ++column)
        if (used_[column] != kNone)
            rows[used_.size() * width + place[column]] =
                static_cast<std::int64_t>(solution_[column]);
    return rows;
}

std::vector<std::int64_t> Weights::one() {
    const auto weighs = [this](std::uint32_t generator) {
        return generator != kNone && solution_[column_[generator]] != 0;
    };
    const auto chosen = std::find_if(used_.begin(), used_.end(), weighs);
    std::vector<std::int64_t> weights(used_.size(), 0);
    if (chosen == used_.end()) return weights;
    for (auto column = static_cast<std::uint32_t>(used_.size()); column-- > 0;) {
        settle(column);
        add(column, 1);
        for (const Term& term : taken())
            if (term.generator == *chosen) weights[column] = term.times;
    }
    return weights;
}

// Add a multiple of the meaning of a settled generator to the sum under construction.
void Weights::add(std::uint32_t generator, std::uint64_t times) {
    const auto add_term = [this](std::uint32_t column, std::uint64_t value) {
        if (!is_touched_[column]) {
            is_touched_[column] = 1;
            touched_.push_back(column);
        }
        value_[column] = (value_[column] + value) % q_;
    };
    if (!replaced_[generator]) return add_term(column_[generator], times);
    for (const Term& term : meaning_[generator])
        add_term(column_[term.generator], times * term.times);
}

// Return the sum that was made, in the order of columns, and begin a new one.
Weights::Sum Weights::taken() {
    std::sort(touched_.begin(), touched_.end());
    Sum sum;
    for (const std::uint32_t column : touched_) {
        if (value_[column] != 0)
            sum.push_back({used_[column], static_cast<std::uint32_t>(value_[column])});
        value_[column] = 0;
        is_touched_[column] = 0;
    }
    touched_.clear();
    return sum;
}

// Whether a generator is in use, or was replaced by such as are.
bool Weights::is_settled(std::uint32_t generator) const {
    return std::none_of(meaning_[generator].begin(), meaning_[generator].end(),
                        [this](const Term& term) { return replaced_[term.generator]; });
}

// Let a generator mean generators in use, and those on the way to these as well.
void Weights::settle(std::uint32_t generator) {
    waiting_.push_back(generator);
    while (!waiting_.empty()) {
        const std::uint32_t last = waiting_.back();
        const std::size_t before = waiting_.size();
        if (is_settled(last)) {
            waiting_.pop_back();
            continue;
        }
        for (const Term& term : meaning_[last])
            if (!is_settled(term.generator)) waiting_.push_back(term.generator);
        if (waiting_.size() > before) continue;
        waiting_.pop_back();
        for (const Term& term : meaning_[last]) add(term.generator, term.times);
        assign(last, taken());
    }
}

void Weights::assign(std::uint32_t generator, Sum&& sum) {
    sum.shrink_to_fit();
    bytes_ += sum.capacity() * sizeof(Term);
    bytes_ -= meaning_[generator].capacity() * sizeof(Term);
    meaning_[generator] = std::move(sum);
}

// Replace a generator so that a row, which was not 0, weighs nothing.
void Weights::cut(const Sum& row) {
    const auto valuation = [this](const Term& term) {
        return std::gcd(static_cast<std::uint64_t>(term.times), q_);
    };
    const auto pivot = std::min_element(row.begin(), row.end(), [&](const Term& a, const Term& b) {
        return valuation(a) < valuation(b);
    });
    const std::uint64_t least = valuation(*pivot);
    const std::uint64_t rest = q_ / least;
    const std::uint64_t inverted = inverse(pivot->times / least, rest);
    const std::uint32_t column = column_[pivot->generator];
    const std::uint64_t weight = solution_[column];
    Sum meaning;
    for (const Term& term : row) {
        const std::uint64_t factor = term.times / least * inverted % rest;
        if (term.generator == pivot->generator) {
            if (least == 1) continue;
            meaning.push_back(
                {static_cast<std::uint32_t>(column_.size()), static_cast<std::uint32_t>(rest)});
        } else if (factor != 0) {
            meaning.push_back({term.generator, static_cast<std::uint32_t>(q_ - factor)});
            const std::uint32_t other = column_[term.generator];
            weigh_solution(other, solution_[other] + (q_ - factor) * weight);
        }
    }
    replaced_[pivot->generator] = 1;
    assign(pivot->generator, std::move(meaning));
    if (least == 1) {
        used_[column] = kNone;
        --generators_;
        weigh_solution(column, 0);
    } else {
        used_[column] = static_cast<std::uint32_t>(column_.size());
        column_.push_back(column);
        replaced_.push_back(0);
        meaning_.emplace_back();
        bytes_ += sizeof(Sum) + sizeof(std::uint32_t) + 1;
        weigh_solution(column, weight * rest);
    }
}

// Set the weight of a solution under the generator of a column.
void Weights::weigh_solution(std::uint32_t column, std::uint64_t weight) {
    weighing_ -= solution_[column] != 0;
    solution_[column] = weight % q_;
    weighing_ += solution_[column] != 0;
}

}  // namespace exactile
