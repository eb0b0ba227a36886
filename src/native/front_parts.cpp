#include "front_parts.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

namespace exactile {

Parts::Parts(const CountProblem& problem, const std::vector<bool>& supplied) {
    problem.validate();
    if (supplied.size() != problem.lower.size())
        throw std::invalid_argument("items and what is in supply differ in number");
    choose_items(problem, supplied);
    choose_options(problem, supplied);
    weigh();
    supply = Supply(lower_, upper_, weights);
    too_many = !supply.fits_in_keys();
    if (!too_many) give_labels();
}

void Parts::choose_items(const CountProblem& problem, const std::vector<bool>& supplied) {
    const auto count = static_cast<std::size_t>(problem.items());
    uses_.resize(count);
    number_.assign(count, -1);
    for (const Index i : problem.members) ++uses_[i];
    for (std::size_t i = 0; i < count; ++i) {
        if (!supplied[i]) {
            number_[i] = rest.items();
            rest.lower.push_back(problem.lower[i]);
            rest.upper.push_back(problem.upper[i]);
            rest.rank.push_back(problem.rank[i]);
        } else if (static_cast<std::uint64_t>(problem.lower[i]) > uses_[i]) {
            impossible = true;
        } else if (uses_[i] > 0) {
            items.push_back(static_cast<Index>(i));
        }
    }
    std::vector<Index> sorted(rest.rank);
    std::sort(sorted.begin(), sorted.end());
    for (Index& rank : rest.rank)
        rank = static_cast<Index>(std::lower_bound(sorted.begin(), sorted.end(), rank) -
                                  sorted.begin());
    // What is used rarely comes first: that half of a key costs more.
    std::stable_sort(items.begin(), items.end(),
                     [&](Index a, Index b) { return uses_[a] < uses_[b]; });
    for (const Index i : items) {
        number_[i] = static_cast<Index>(lower_.size());
        lower_.push_back(static_cast<std::uint64_t>(problem.lower[i]));
        upper_.push_back(std::min<std::uint64_t>(problem.upper[i], uses_[i]));
    }
}

void Parts::choose_options(const CountProblem& problem, const std::vector<bool>& supplied) {
    rest.first = {0};
    for (Index o = 0; o < problem.options(); ++o) {
        std::map<Index, std::uint64_t> taking;
        std::uint64_t size = 0;
        bool fits = true;
        for (std::int64_t k = problem.first[o]; k < problem.first[o + 1]; ++k) {
            const Index i = problem.members[k];
            if (!supplied[i]) {
                rest.members.push_back(number_[i]);
                rest.colors.push_back(problem.colors[k]);
                size += problem.lower[i] == 1 && problem.upper[i] == 1;
            } else if (problem.colors[k] != 0) {
                throw std::invalid_argument("an item in supply has a color");
            } else if (!impossible) {
                fits = fits && ++taking[number_[i]] <= upper_[number_[i]];
            }
        }
        if (!fits) {
            rest.members.resize(static_cast<std::size_t>(rest.first.back()));
            rest.colors.resize(rest.members.size());
            continue;
        }
        rest.first.push_back(static_cast<std::int64_t>(rest.members.size()));
        options.push_back(o);
        takings_.emplace_back(taking.begin(), taking.end());
        sizes_.push_back(size);
    }
}

// The weight of an item is what options that take it cover of the rest, for each use. Options that
// take nothing else come first.
void Parts::weigh() {
    weights.assign(items.size(), 0);
    for (const bool alone : {true, false})
        for (std::size_t o = 0; o < takings_.size(); ++o) {
            if (alone != (takings_[o].size() == 1)) continue;
            std::uint64_t amounts = 0;
            for (const auto& [item, amount] : takings_[o]) amounts += amount;
            for (const auto& [item, amount] : takings_[o])
                if (weights[item] == 0) weights[item] = sizes_[o] / amounts;
        }
}

void Parts::give_labels() {
    std::map<Taking, std::size_t> known;
    const auto number_of = [&](const Taking& taking) {
        const auto [at, added] = known.emplace(taking, labels.size());
        if (added) labels.push_back(supply.label(taking));
        return static_cast<Mark>(at->second);
    };
    nothing = number_of({});
    for (const Taking& taking : takings_) mark_of.push_back(number_of(taking));
}

}  // namespace exactile
