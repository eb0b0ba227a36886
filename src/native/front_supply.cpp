#include "front_supply.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>

namespace exactile {

static constexpr std::uint64_t kMany = std::numeric_limits<std::uint64_t>::max() / 4;
static constexpr std::uint64_t kMostWeight = 1 << 16;  // keys are counted up to this weight
static constexpr std::size_t kMostLowBits = 14, kLeastLowBits = 6;

Supply::Supply(std::vector<std::uint64_t> lower, std::vector<std::uint64_t> upper,
               std::vector<std::uint64_t> weights) {
    for (std::size_t i = 0; i < upper.size(); ++i) {
        const auto bits = static_cast<std::size_t>(std::bit_width(upper[i]));
        parts_.push_back({bits_, bits, lower[i], upper[i], weights[i]});
        bits_ += bits;
        full_weight_ += upper[i] * weights[i];
    }
    if (!fits_in_keys()) return;
    for (const Part& part : parts_)
        if (part.bits > 0) full_ |= part.upper << part.shift;
    // How many keys have each weight.
    counts_.assign(std::min(full_weight_, kMostWeight) + 1, 0);
    counts_[0] = 1;
    for (const Part& part : parts_) {
        if (part.weight == 0) continue;
        std::vector<std::uint64_t> more(counts_.size());
        for (std::size_t w = 0; w < counts_.size(); ++w)
            for (std::uint64_t n = 0; n <= part.upper && w + n * part.weight < more.size(); ++n)
                more[w + n * part.weight] = std::min(kMany, more[w + n * part.weight] + counts_[w]);
        counts_ = std::move(more);
    }
}

std::uint64_t Supply::count(std::uint64_t weight) const {
    return weight < counts_.size() ? counts_[weight] : kMany;
}

Label Supply::label(const Taking& taking) const {
    Label label;
    Key once = 0;
    for (const auto& [item, amount] : taking) {
        const Part& part = parts_[item];
        label.add += amount << part.shift;
        label.weight += amount * part.weight;
        const Key mask = bits_of(part) << part.shift;
        if (part.upper == amount)
            once |= mask;  // nothing of it may be used yet
        else
            label.checks.push_back({mask, (part.upper - amount) << part.shift});
    }
    if (once != 0) label.checks.insert(label.checks.begin(), {once, 0});
    return label;
}

bool Supply::sufficient(Key key) const {
    return std::all_of(parts_.begin(), parts_.end(), [&](const Part& part) {
        return part.bits == 0 || field(part, key) >= part.lower;
    });
}

std::vector<Key> Supply::rests(const std::uint64_t* weight, std::size_t most) const {
    std::vector<Key> found;
    std::vector<std::uint64_t> room(parts_.size() + 1);  // what the parts from here on can weigh
    for (std::size_t i = parts_.size(); i-- > 0;)
        room[i] = room[i + 1] + (parts_[i].upper - parts_[i].lower) * parts_[i].weight;
    bool over = false;
    const std::function<void(std::size_t, Key, std::uint64_t)> go = [&](std::size_t i, Key key,
                                                                        std::uint64_t weighs) {
        if (over || (weight != nullptr && (weighs > *weight || weighs + room[i] < *weight))) return;
        if (i == parts_.size()) {
            found.push_back(key);
            over = found.size() > most;
            return;
        }
        const Part& part = parts_[i];
        for (std::uint64_t n = 0; n <= part.upper - part.lower && !over; ++n)
            go(i + 1, part.bits == 0 ? key : key | n << part.shift, weighs + n * part.weight);
    };
    go(0, 0, 0);
    if (over) found.clear();
    return found;
}

// Choose the halves, and list the values of both by weight.
void Supply::split() {
    const std::size_t wanted = std::min(std::max(bits_ / 2, kLeastLowBits), kMostLowBits);
    for (low_parts_ = 0, low_bits_ = 0;
         low_parts_ < parts_.size() && low_bits_ + parts_[low_parts_].bits <= wanted;)
        low_bits_ += parts_[low_parts_++].bits;
    low_mask_ = (Key{1} << low_bits_) - 1;
    low_place_.assign(low_mask_ + 1, 0);
    // All values of the parts from `begin` to `end`, in increasing order, with their weights.
    const auto each = [&](std::size_t begin, std::size_t end, auto found) {
        const std::function<void(std::size_t, Key, std::uint64_t)> go =
            [&](std::size_t i, Key value, std::uint64_t weight) {
                if (i == begin) return found(value, weight);
                const Part& part = parts_[i - 1];
                for (std::uint64_t n = 0; n <= part.upper; ++n)
                    go(i - 1, part.bits == 0 ? value : value | n << part.shift,
                       weight + n * part.weight);
            };
        go(end, 0, 0);
    };
    each(0, low_parts_, [&](Key value, std::uint64_t weight) {
        const auto [at, added] = low_set_.emplace(weight, static_cast<std::uint32_t>(lows_.size()));
        if (added) lows_.emplace_back();
        low_place_[value] = static_cast<std::uint32_t>(lows_[at->second].size());
        lows_[at->second].push_back(static_cast<std::uint32_t>(value));
    });
    each(low_parts_, parts_.size(), [&](Key value, std::uint64_t weight) {
        highs_.emplace_back(static_cast<std::uint32_t>(value >> low_bits_), weight);
    });
}

void Supply::rank(const std::vector<std::uint64_t>& weights, std::vector<Label>& labels) {
    split();
    for (const std::uint64_t weight : weights) {
        Class& made = classes_[weight];
        if (!made.start.empty()) continue;
        made.start.assign((bits_ > low_bits_ ? (full_ >> low_bits_) : 0) + 1, Class::kNone);
        for (const auto& [high, weighs] : highs_) {
            if (weighs > weight) continue;
            const auto low = low_set_.find(weight - weighs);
            if (low == low_set_.end()) continue;
            made.runs.push_back({high, low->second, made.size});
            made.start[high] = made.size;
            made.size += lows_[low->second].size();
        }
    }
    for (Label& label : labels) {
        label.high_add = label.add >> low_bits_;
        label.moves_low = (label.add & low_mask_) != 0;
        label.high_checks.clear();
        for (const Label::Check& check : label.checks)
            if (check.mask >> low_bits_ != 0)
                label.high_checks.push_back({check.mask >> low_bits_, check.most >> low_bits_});
        label.shifts.clear();
        if (!label.moves_low) continue;
        for (const std::vector<std::uint32_t>& low : lows_) {
            std::vector<Label::Shift>& shifts = label.shifts.emplace_back();
            for (std::uint32_t place = 0; place < low.size(); ++place) {
                const Key value = low[place];
                const bool fine = std::all_of(
                    label.checks.begin(), label.checks.end(), [&](const Label::Check& check) {
                        return (value & check.mask) <= (check.most & low_mask_);
                    });
                if (fine) shifts.push_back({place, low_place_[value + (label.add & low_mask_)]});
            }
        }
    }
}

std::uint64_t Supply::bytes() const {
    std::uint64_t sum = 4 * low_place_.size() * 2 + 16 * highs_.size();
    for (const auto& [weight, made] : classes_)
        sum += 16 * made.runs.size() + 8 * made.start.size();
    return sum;
}

}  // namespace exactile
