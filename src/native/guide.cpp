#include "guide.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>

namespace exactile {

static constexpr std::size_t kNodesPerCheck = 256;    // between two readings of the clock
static constexpr std::uint64_t kMostRests = 1 << 14;  // ways to leave something over
static constexpr std::size_t kGroupBits = 8;
static constexpr int kMostFits = 40;
static constexpr double kFitted = 0.01;  // relative error of uses at which the fit ends
static constexpr double kLeastUse = 1e-6;
static constexpr double kSlack = 1e-6;  // bits, for rounding
// What is possible is at least this, so that what is 0 is impossible, not too small for a float.
static constexpr double kLeastWays = 1e-300;
static constexpr float kLeastShare = 1e-30F;
// What is listed is at most this, and so finite, also times the weight of a state.
static constexpr double kMostWays = 0x1p300;

Guide::Guide(const CountProblem& problem, const std::vector<bool>& supplied, GuideLimits limits)
    : limits_(limits) {
    Parts parts(problem, supplied);
    // Impossible problems are left to other code, which finds out why.
    if (parts.too_many || parts.impossible) {
        status_ = Status::too_large;
        return;
    }
    supply_ = std::move(parts.supply);
    labels_ = std::move(parts.labels);
    automaton_ = std::make_unique<Automaton>(parts.rest, std::move(parts.mark_of), parts.nothing,
                                             limits_.nodes, limits_.bytes, /*predicts=*/true);
    lay_out_items();
}

void Guide::lay_out_items() {
    for (const Supply::Part& part : supply_.parts()) {
        if (part.bits == 0) continue;
        const Key mask = part.bits == 64 ? ~Key{0} : (Key{1} << part.bits) - 1;
        items_.push_back({part.shift, part.upper, part.weight, mask, row_size_});
        row_size_ += part.upper + 1;
    }
    for (std::size_t i = 0, bits = 0; i < items_.size(); ++i) {
        const auto more = static_cast<std::size_t>(std::popcount(items_[i].mask));
        if (groups_.empty() || bits + more > kGroupBits) {
            groups_.push_back({i, i, items_[i].shift, 0});
            bits = 0;
        }
        bits += more;
        groups_.back().end = i + 1;
        groups_.back().mask = bits == 64 ? ~Key{0} : (Key{1} << bits) - 1;
    }
}

std::uint64_t Guide::bytes() const {
    return out_.bytes() + in_.bytes() + level_.size() * (4 * row_size_ + 32) + 16 * endings_.size();
}

Guide::Status Guide::build(double seconds) {
    const auto deadline = deadline_in(seconds);
    if (status_ == Status::building && automaton_) {
        const Automaton::Status status = automaton_->run(deadline);
        if (status == Automaton::Status::running) return status_;
        met_ = automaton_->met();
        if (status == Automaton::Status::too_large)
            status_ = Status::too_large;
        else
            lay_out();
        automaton_.reset();
    }
    for (std::size_t step = 1; status_ == Status::building; ++step) {
        if (left_ > 0) {
            --left_;
            visit(begins_at_end() ? left_ : nodes() - 1 - left_);
        } else {
            end_pass();
        }
        if (step % kNodesPerCheck == 0 && Clock::now() >= deadline) break;
    }
    return status_;
}

// What is used before each node; whether that is the same on all ways to it, and grows.
bool Guide::weigh(std::vector<std::uint64_t>& weight) const {
    constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();
    weight.assign(nodes(), kUnknown);
    weight[0] = 0;
    bool even = std::all_of(items_.begin(), items_.end(), [](auto& i) { return i.weight > 0; });
    for (std::uint32_t u = 0; even && u < nodes(); ++u)
        for (std::uint64_t e = out_.first[u]; e < out_.first[u + 1]; ++e) {
            std::uint64_t& there = weight[out_.node[e]];
            const std::uint64_t sum = weight[u] + labels_[out_.mark[e]].weight;
            if (there == kUnknown) there = sum;
            even = even && there == sum && sum > weight[u];
        }
    return even;
}

// Levels are of equal weight, if possible: then the states of one have as much before them.
void Guide::lay_out() {
    const std::uint32_t count = automaton_->nodes();
    if (count == 0) {  // no path leads to the end
        status_ = Status::done;
        return;
    }
    level_.assign(count, 0);
    out_ = automaton_->edges();
    if (2 * out_.bytes() + bytes() > limits_.bytes) {
        status_ = Status::too_large;
        return;
    }
    in_ = out_.reversed();
    std::vector<std::uint64_t> weight;
    even_ = weigh(weight);
    if (!even_)
        for (std::uint32_t u = 0; u < count; ++u) weight[u] = automaton_->block_of(u);
    std::map<std::uint64_t, std::uint32_t> number;
    for (std::uint32_t u = 0; u < count; ++u) number[weight[u]] = 0;
    std::uint32_t known = 0;
    for (auto& [_, level] : number) level = known++;
    levels_.resize(known);
    for (std::uint32_t u = 0; u < count; ++u) {
        level_[u] = number[weight[u]];
        levels_[level_[u]].push_back(u);
    }
    for (std::uint32_t u = 0; u < count; ++u)
        for (std::uint64_t e = out_.first[u]; e < out_.first[u + 1]; ++e)
            longest_ = std::max(longest_, level_[out_.node[e]] - level_[u]);
    list_endings();
    if (status_ != Status::building) return;
    ways_.assign(count, 0);
    before_.assign(count, 0);
    label_share_.assign(labels_.size(), 0);
    used_.assign(items_.size(), 0);
    rows_.assign(count * row_size_, 0);
    moved_.assign(row_size_, 0);
    worth_.assign(count, 0);
    begin(Pass::paths);
}

// Level by level from the end, as long as there is room for all endings of a level.
void Guide::list_endings() {
    const std::uint32_t end = nodes() - 1;
    span_.resize(nodes());
    for (const Key key : supply_.rests(nullptr, kMostRests)) endings_.push_back({key, 1.0});
    std::sort(endings_.begin(), endings_.end(),
              [](const Ending& a, const Ending& b) { return a.key < b.key; });
    if (endings_.empty()) status_ = Status::too_large;
    span_[end].end = static_cast<std::uint32_t>(endings_.size());
    Listed made;
    for (cut_ = static_cast<std::uint32_t>(levels() - 1); cut_ > 1; --cut_) {
        const std::size_t before = endings_.size();
        bool fits = true;
        for (const std::uint32_t u : levels_[cut_ - 1]) {
            made.clear();
            for (std::uint64_t e = out_.first[u]; e < out_.first[u + 1]; ++e) {
                const Label& label = labels_[out_.mark[e]];
                const Span span = span_[out_.node[e]];
                for (std::uint32_t k = span.begin; k < span.end; ++k)
                    if (label.fits(endings_[k].key))
                        made.push_back({endings_[k].key + label.add, endings_[k].ways});
            }
            std::sort(made.begin(), made.end(),
                      [](const Ending& a, const Ending& b) { return a.key < b.key; });
            span_[u].begin = static_cast<std::uint32_t>(endings_.size());
            for (const Ending& one : made)
                if (endings_.size() > span_[u].begin && endings_.back().key == one.key)
                    endings_.back().ways += one.ways;
                else
                    endings_.push_back(one);
            span_[u].end = static_cast<std::uint32_t>(endings_.size());
            fits = endings_.size() <= limits_.endings;
            for (std::uint32_t k = span_[u].begin; k < span_[u].end; ++k)
                fits = fits && endings_[k].ways <= kMostWays;
            if (!fits) break;
        }
        if (fits) continue;
        endings_.resize(before);
        for (const std::uint32_t u : levels_[cut_ - 1]) span_[u] = {};
        break;
    }
    endings_.shrink_to_fit();
    entered_.assign(nodes(), false);
    for (std::uint32_t u = 0; u < nodes(); ++u)
        for (std::uint64_t e = out_.first[u]; !listed(u) && e < out_.first[u + 1]; ++e)
            entered_[out_.node[e]] = true;
}

void Guide::begin(Pass pass) {
    pass_ = pass;
    left_ = nodes();
    if (pass != Pass::uses) return;
    std::fill(before_.begin(), before_.end(), 0.0);
    std::fill(label_share_.begin(), label_share_.end(), 0.0);
    std::fill(used_.begin(), used_.end(), 0.0);
    before_[0] = 1;
}

void Guide::visit(std::uint32_t node) {
    // Of nodes behind the cut only those matter that are entered from before it.
    if (listed(node) && !entered_[node] && node != 0) return;
    switch (pass_) {
        case Pass::paths:
            ways_[node] = paths_of(node);
            break;
        case Pass::ways:
            ways_[node] = ways_of(node);
            break;
        case Pass::uses:
            pass_on(node);
            break;
        case Pass::shares:
            share(node);
            break;
        case Pass::worths:
            judge(node);
            break;
    }
}

void Guide::end_pass() {
    switch (pass_) {
        case Pass::paths:
            if (ways_[0] ==
                -std::numeric_limits<double>::infinity()) {  // no path leads to an ending
                levels_.clear();
                level_.clear();
                status_ = Status::done;
                return;
            }
            factors_.assign(items_.size(), 1.0);
            scale(ways_[0]);
            set_factors();
            return begin(Pass::ways);
        case Pass::ways:
            if (fitted_) return begin(Pass::shares);
            if (std::isfinite(ways_[0])) return begin(Pass::uses);
            return refit();
        case Pass::uses:
            return refit();
        case Pass::shares:
            return begin(Pass::worths);
        case Pass::worths:
            out_ = Edges();
            ways_ = before_ = {};
            status_ = Status::done;
    }
}

// The number of paths from a node to an ending, in bits.
double Guide::paths_of(std::uint32_t node) const {
    double most = -std::numeric_limits<double>::infinity(), sum = 0;
    if (listed(node)) {
        for (std::uint32_t k = span_[node].begin; k < span_[node].end; ++k) sum += endings_[k].ways;
        return std::log2(sum);
    }
    for (std::uint64_t e = out_.first[node]; e < out_.first[node + 1]; ++e)
        most = std::max(most, ways_[out_.node[e]]);
    if (std::isinf(most)) return most;
    for (std::uint64_t e = out_.first[node]; e < out_.first[node + 1]; ++e)
        sum += std::exp2(ways_[out_.node[e]] - most);
    return most + std::log2(sum);
}

// Change the factors so that paths weigh 2^-exponent times as much, if all of them weigh the same.
void Guide::scale(double exponent) {
    double all = 0;
    for (const Item& item : items_) all += static_cast<double>(item.upper * item.weighs(even_));
    for (std::size_t i = 0; i < items_.size(); ++i)
        factors_[i] *= std::exp2(-exponent * static_cast<double>(items_[i].weighs(even_)) / all);
}

// Correct the factors by the mean uses. The weight of all paths, divided by the factors of the
// wanted uses, is least if the mean uses are the wanted ones; its logarithm is convex in the
// logarithms of the factors. So a step that does not lower it was too long.
void Guide::refit() {
    double height = std::log2(ways_[0]), worst = 0;
    for (std::size_t i = 0; i < items_.size(); ++i)
        height -= static_cast<double>(items_[i].upper) * std::log2(factors_[i]);
    for (std::size_t l = 0; l < labels_.size(); ++l)
        for (std::size_t i = 0; i < items_.size(); ++i)
            used_[i] += label_share_[l] * static_cast<double>(items_[i].uses(labels_[l].add));
    const bool better = std::isfinite(height) && height <= best_.height + kSlack;
    if (better)
        best_ = {height, std::log2(ways_[0]), factors_, used_};
    else
        power_ /= 2;
    if (std::isinf(best_.height)) {
        status_ = Status::too_large;
        return;
    }
    for (std::size_t i = 0; i < items_.size(); ++i)
        worst = std::max(worst, std::abs(best_.used[i] / static_cast<double>(items_[i].upper) - 1));
    fitted_ = worst < kFitted || ++fits_ > kMostFits;
    if (fitted_ && better) return begin(Pass::shares);
    factors_ = best_.factors;
    if (!fitted_) {
        for (std::size_t i = 0; i < items_.size(); ++i)
            factors_[i] *= std::pow(
                static_cast<double>(items_[i].upper) / std::max(best_.used[i], kLeastUse), power_);
        if (even_) scale(best_.exponent);
    }
    set_factors();
    begin(Pass::ways);
}

void Guide::set_factors() {
    group_factor_.resize(groups_.size());
    for (std::size_t g = 0; g < groups_.size(); ++g)
        tabulate(
            groups_[g], 1.0,
            [&](const Item& item, std::uint64_t uses) {
                return std::pow(factors_[static_cast<std::size_t>(&item - items_.data())],
                                static_cast<double>(uses));
            },
            [](double a, double b) { return a * b; }, group_factor_[g]);
    label_factor_.clear();
    for (const Label& label : labels_) label_factor_.push_back(factor(label.add));
}

double Guide::factor(Key key) const {
    double product = 1;
    for (std::size_t g = 0; g < groups_.size(); ++g)
        product *= group_factor_[g][key >> groups_[g].shift & groups_[g].mask];
    return product;
}

double Guide::ways_of(std::uint32_t node) const {
    double sum = 0;
    if (listed(node))
        for (std::uint32_t k = span_[node].begin; k < span_[node].end; ++k)
            sum += std::max(endings_[k].ways * factor(endings_[k].key), kLeastWays);
    else
        for (std::uint64_t e = out_.first[node]; e < out_.first[node + 1]; ++e)
            if (const double there = ways_[out_.node[e]]; there > 0)
                sum += std::max(label_factor_[out_.mark[e]] * there, kLeastWays);
    return sum;
}

// How much of all goes through the edges and endings of a node.
void Guide::pass_on(std::uint32_t node) {
    const double before = before_[node], all = ways_[0];
    if (!(before > 0)) return;
    if (listed(node)) {
        for (std::uint32_t k = span_[node].begin; k < span_[node].end; ++k) {
            const Ending& one = endings_[k];
            const double part = before / all * one.ways * factor(one.key);
            for (std::size_t i = 0; i < items_.size(); ++i)
                used_[i] += part * static_cast<double>(items_[i].uses(one.key));
        }
        return;
    }
    for (std::uint64_t e = out_.first[node]; e < out_.first[node + 1]; ++e) {
        const double part = before * label_factor_[out_.mark[e]];
        before_[out_.node[e]] += part;
        label_share_[out_.mark[e]] += part / all * ways_[out_.node[e]];
    }
}

// How likely each number of uses of each item is from a node on.
void Guide::share(std::uint32_t node) {
    float* const mine = &rows_[node * row_size_];
    if (!(ways_[node] > 0)) return;
    const auto least = [](double part) { return std::max(static_cast<float>(part), kLeastShare); };
    if (listed(node)) {
        for (std::uint32_t k = span_[node].begin; k < span_[node].end; ++k) {
            const Ending& one = endings_[k];
            const float part = least(one.ways * factor(one.key) / ways_[node]);
            for (const Item& item : items_) mine[item.place + item.uses(one.key)] += part;
        }
        return;
    }
    for (std::uint64_t e = out_.first[node]; e < out_.first[node + 1]; ++e) {
        const std::uint32_t there = out_.node[e];
        if (!(ways_[there] > 0)) continue;
        const Label& label = labels_[out_.mark[e]];
        const float part = least(label_factor_[out_.mark[e]] * ways_[there] / ways_[node]);
        std::copy_n(row(there), row_size_, moved_.begin());
        for (const Item& item : items_) {
            const auto uses = static_cast<std::ptrdiff_t>(item.uses(label.add));
            if (uses == 0) continue;
            const auto begin = moved_.begin() + static_cast<std::ptrdiff_t>(item.place);
            const auto end = begin + static_cast<std::ptrdiff_t>(item.upper) + 1;
            std::copy_backward(begin, end - uses, end);
            std::fill(begin, begin + uses, 0.0F);
        }
        for (std::size_t k = 0; k < row_size_; ++k)
            mine[k] += moved_[k] > 0 ? std::max(part * moved_[k], kLeastShare) : 0;
    }
}

// From what is likely to what a state is worth, by how often it has used an item.
void Guide::judge(std::uint32_t node) {
    worth_[node] = ways_[node] > 0 ? static_cast<float>(std::log2(ways_[node])) : kNever;
    float* const mine = &rows_[node * row_size_];
    for (std::size_t i = 0; i < items_.size(); ++i) {
        float* const here = mine + items_[i].place;
        for (std::uint64_t n = 0; n <= items_[i].upper; ++n)
            here[n] = here[n] > 0 ? std::log2(here[n]) - static_cast<float>(static_cast<double>(n) *
                                                                            std::log2(factors_[i]))
                                  : kNever;
        std::reverse(here, here + items_[i].upper + 1);
    }
}

}  // namespace exactile
