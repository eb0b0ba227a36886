#include "count_plan.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

namespace exactile {

[[noreturn]] static void refuse(const std::string& message) {
    throw std::invalid_argument(message);
}

static void require(bool fine, const char* message) {
    if (!fine) refuse(message);
}

// Add the bits of a field to a mask.
static void put(Mask& mask, const Field& field) {
    const auto at = std::lower_bound(mask.begin(), mask.end(), Part{field.word, 0});
    if (at != mask.end() && at->word == field.word)
        at->bits |= field.mask << field.shift;
    else
        mask.insert(at, {field.word, field.mask << field.shift});
}

void CountProblem::validate() const {
    require(upper.size() == lower.size(), "lower and upper bounds differ in length");
    require(rank.size() == lower.size(), "items and their ranks differ in number");
    require(colors.size() == members.size(), "members and their colors differ in number");
    require(!first.empty() && first.front() == 0 &&
                first.back() == static_cast<std::int64_t>(members.size()),
            "option boundaries do not span the members");
    require(std::is_sorted(first.begin(), first.end()), "option boundaries decrease");
    std::vector<bool> ranked(rank.size());
    for (Index i = 0; i < items(); ++i) {
        if (lower[i] < 0 || lower[i] > upper[i])
            refuse("item " + std::to_string(i) + " has impossible bounds [" +
                   std::to_string(lower[i]) + ", " + std::to_string(upper[i]) + "]");
        require(0 <= rank[i] && rank[i] < items() && !ranked[rank[i]],
                "the ranks are not a permutation of the items");
        ranked[rank[i]] = true;
    }
    for (std::size_t k = 0; k < members.size(); ++k) {  // millions: no message without a fault
        const Index i = members[k];
        if (i < 0 || i >= items())
            refuse("an option names item " + std::to_string(i) + ", which does not exist");
        if (colors[k] < 0) refuse("item " + std::to_string(i) + " has a negative color");
        if (colors[k] != 0 && (lower[i] != 0 || upper[i] != 1))
            refuse("item " + std::to_string(i) + " is colored, so its bounds must be [0, 1]");
    }
}

Plan::Plan(const CountProblem& problem, Bits bits, const std::vector<bool>& supplied)
    : supplied_(supplied) {
    problem.validate();
    require(supplied.empty() || supplied.size() == problem.lower.size(),
            "items and what is in supply differ in number");
    read_options(problem);
    choose_kinds(problem);
    if (!feasible) return;
    make_blocks(problem);
    find_spans();
    give_fields(bits);
    lay_out(problem);
    find_demanding(problem);
    find_near();
}

// Put equal members together; note which options can be taken at all.
void Plan::read_options(const CountProblem& problem) {
    items_.resize(problem.items());
    options_.resize(problem.options());
    possible_.assign(problem.options(), true);
    std::vector<bool> painted(problem.items());
    for (std::size_t k = 0; k < problem.members.size(); ++k)
        if (problem.colors[k] > 0) painted[problem.members[k]] = true;
    for (Index i = 0; i < problem.items(); ++i)
        if (painted[i]) items_[i].kind = Item::Kind::painted;
    std::vector<std::pair<Index, Index>> row;
    for (Index o = 0; o < problem.options(); ++o) {
        row.clear();
        for (std::int64_t k = problem.first[o]; k < problem.first[o + 1]; ++k)
            row.emplace_back(problem.members[k], problem.colors[k]);
        std::sort(row.begin(), row.end());
        std::vector<Member>& option = options_[o];
        for (std::size_t k = 0; k < row.size(); ++k) {
            const auto [item, color] = row[k];
            if (option.empty() || option.back().item != item) {
                option.push_back({item, 1, color});
            } else if (painted[item]) {  // twice with one color is once; otherwise it clashes
                if (color == 0 || color != option.back().code) possible_[o] = false;
            } else {
                ++option.back().weight;
            }
            if (option.back().weight > problem.upper[item]) possible_[o] = false;
        }
        if (!possible_[o]) continue;
        for (const Member& m : option) {
            items_[m.item].total += m.weight;
            if (painted[m.item]) items_[m.item].codes.push_back(m.code);
        }
    }
}

// Items that no choice of options can use too often or too rarely need no field.
void Plan::choose_kinds(const CountProblem& problem) {
    for (Index i = 0; i < problem.items(); ++i) {
        Item& item = items_[i];
        if (problem.lower[i] > item.total) feasible = false;
        if (item.kind == Item::Kind::painted) {
            auto& codes = item.codes;
            std::sort(codes.begin(), codes.end());
            codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
            const bool binds = codes.size() > 1 || (codes.size() == 1 && codes[0] == 0);
            if (!binds) item.kind = Item::Kind::none;
            item.most = codes.size() + 1;  // codes become 2, 3, ...; 1 is "without a color"
        } else if (problem.lower[i] > 0 || item.total > problem.upper[i]) {
            item.most =
                static_cast<std::uint64_t>(std::min<std::int64_t>(problem.upper[i], item.total));
            item.kind = item.most == 1 ? Item::Kind::bit : Item::Kind::counter;
            item.stocked = in_supply(i) && item.most > 0 && problem.lower[i] == problem.upper[i];
        }
    }
}

void Plan::make_blocks(const CountProblem& problem) {
    std::map<std::pair<Index, Index>, std::pair<Index, std::vector<Index>>> found;
    for (Index o = 0; o < problem.options(); ++o) {
        if (!possible_[o]) continue;
        Index anchor = -1;
        Index least = problem.items();
        for (const Member& m : options_[o]) {
            least = std::min(least, problem.rank[m.item]);
            if (items_[m.item].kind == Item::Kind::bit &&
                (anchor < 0 || problem.rank[m.item] < problem.rank[anchor]))
                anchor = m.item;
        }
        auto& [owner, list] = anchor >= 0 ? found[{problem.rank[anchor], -1}] : found[{least, o}];
        owner = anchor;
        list.push_back(o);
    }
    for (auto& [key, block] : found) {
        anchors_.push_back(block.first);
        members_of_block_.push_back(std::move(block.second));
    }
}

void Plan::find_spans() {
    for (std::size_t b = 0; b < members_of_block_.size(); ++b)
        for (const Index o : members_of_block_[b])
            for (const Member& m : options_[o]) {
                Item& item = items_[m.item];
                if (item.open < 0) item.open = static_cast<std::ptrdiff_t>(b);
                item.close = static_cast<std::ptrdiff_t>(b);
            }
}

// Each item gets the first bits that are free from its first block to its last one, or to the end.
void Plan::give_fields(Bits bits_of_items) {
    const std::size_t count = members_of_block_.size();
    std::vector<std::vector<Index>> opening(count), closing(count);
    for (Index i = 0; i < static_cast<Index>(items_.size()); ++i) {
        const Item& item = items_[i];
        if (item.kind == Item::Kind::none || item.open < 0) continue;
        opening[item.stocked ? 0 : item.open].push_back(i);
        if (!item.stocked) closing[item.close].push_back(i);
    }
    std::vector<std::uint64_t> used;
    std::size_t live = 0;
    std::uint32_t full = 0;  // words without a free bit, before all others
    for (std::size_t b = 0; b < count; ++b) {
        for (const Index i : opening[b]) {
            Item& item = items_[i];
            const auto bits = static_cast<std::uint32_t>(std::bit_width(item.most));
            item.field.mask = (std::uint64_t{1} << bits) - 1;
            bool placed = false;
            while (full < used.size() && ~used[full] == 0) ++full;
            for (std::uint32_t at = 64 * full; !placed; ++at) {
                const std::uint32_t word = at / 64, shift = at % 64;
                if (word == used.size()) used.push_back(0);
                if (shift + bits > 64 || (used[word] >> shift & item.field.mask) != 0) continue;
                used[word] |= item.field.mask << shift;
                item.field.word = word;
                item.field.shift = shift;
                placed = true;
            }
            live += bits;
        }
        width = std::max(width, live);
        for (const Index i : closing[b]) {
            const Field& field = items_[i].field;
            if (bits_of_items == Bits::given_again) {
                used[field.word] &= ~(field.mask << field.shift);
                full = std::min(full, field.word);
            }
            live -= static_cast<std::size_t>(std::bit_width(field.mask));
        }
    }
    words = std::max<std::size_t>(1, used.size());
    give_stock();
}

// Items in stock, and how far their options are decided before each block.
void Plan::give_stock() {
    std::vector<std::size_t> place(items_.size());  // in `stock`, from 1 on
    for (std::size_t i = 0; i < items_.size(); ++i) {
        const Item& item = items_[i];
        if (!item.stocked || item.open < 0) continue;
        stock.push_back({item.field, item.most, static_cast<std::uint64_t>(item.close), {0}});
        place[i] = stock.size();
    }
    if (stock.empty()) return;
    for (const std::vector<Index>& block : members_of_block_) {
        for (Stock& each : stock) each.decided.push_back(each.decided.back());
        for (const Index o : block)
            for (const Member& m : options_[o])
                if (place[m.item] > 0) ++stock[place[m.item] - 1].decided.back();
    }
    for (Stock& each : stock) {
        const double all = each.decided.back();
        for (double& share : each.decided) share /= all;
    }
}

void Plan::lay_out(const CountProblem& problem) {
    const std::size_t count = members_of_block_.size();
    taken = required = leaving = Masks(words);
    for (Item& item : items_) item.future = 0;
    for (std::size_t b = 0; b < count; ++b) {
        const Index anchor = anchors_[b];
        const bool owned = anchor >= 0;
        blocks.push_back({moves.size(), 0, owned ? items_[anchor].field : Field{},
                          owned && problem.lower[anchor] > 0});
        for (const Index o : members_of_block_[b]) {
            moves.push_back({o, uses.size()});
            Mask mask;
            for (const Member& m : options_[o]) {
                const Item& item = items_[m.item];
                if (item.kind == Item::Kind::bit) {
                    put(mask, item.field);
                } else if (item.kind == Item::Kind::counter) {
                    uses.push_back({item.field, static_cast<std::uint64_t>(m.weight), item.most});
                } else if (item.kind == Item::Kind::painted) {
                    const auto at = std::lower_bound(item.codes.begin(), item.codes.end(), m.code);
                    const auto code = at - item.codes.begin() + (item.codes[0] == 0 ? 1 : 2);
                    uses.push_back({item.field, static_cast<std::uint64_t>(code), 0});
                }
            }
            taken.add(mask);
        }
    }
    // The bounds after a block depend on the blocks behind it: backwards, then turned around.
    std::vector<std::size_t> sizes(count);
    std::vector<Mask> must(count), gone(count);
    for (std::size_t b = count; b-- > 0;) {
        const std::size_t before = bounds.size();
        add_bounds(problem, b, must[b], gone[b]);
        sizes[b] = bounds.size() - before;
    }
    for (std::size_t b = 0; b < count; ++b) {
        required.add(must[b]);
        leaving.add(gone[b]);
    }
    std::reverse(bounds.begin(), bounds.end());
    for (std::size_t b = 0, at = 0; b < count; at += sizes[b++]) blocks[b].bounds = at;
    blocks.push_back({moves.size(), bounds.size(), Field{}, false});
    moves.push_back({-1, uses.size()});
}

void Plan::add_bounds(const CountProblem& problem, std::size_t b, Mask& must, Mask& gone) {
    std::map<Index, std::int64_t> heaviest;
    for (const Index o : members_of_block_[b])
        for (const Member& m : options_[o]) {
            std::int64_t& weight = heaviest[m.item];
            weight = std::max<std::int64_t>(weight, m.weight);
        }
    for (const auto& [i, weight] : heaviest) {
        Item& item = items_[i];
        if (item.kind == Item::Kind::none) continue;
        const Field& field = item.field;
        if (item.close == static_cast<std::ptrdiff_t>(b)) {
            put(gone, field);
            if (item.kind == Item::Kind::bit && problem.lower[i] > 0) put(must, field);
        }
        if (item.kind == Item::Kind::counter) {
            const std::int64_t least = std::max<std::int64_t>(0, problem.lower[i] - item.future);
            const std::int64_t high = problem.upper[i] - item.future;
            // Nothing to do unless some value is too low, or several values are as good as `low`.
            if (least > 0 || high > problem.lower[i]) {
                const bool joins = high > problem.lower[i];
                bounds.push_back({field, static_cast<std::uint64_t>(least),
                                  static_cast<std::uint64_t>(problem.lower[i]),
                                  static_cast<std::uint64_t>(joins ? high : problem.lower[i])});
            }
        }
        item.future += weight;
    }
}

// For each item that has to be used, the moves that contain it, those of the last blocks first.
void Plan::find_demanding(const CountProblem& problem) {
    demanding_.resize(items_.size());
    near_.resize(items_.size());
    for (std::size_t m = moves.size() - 1; m-- > 0;)
        for (const Member& member : options_[moves[m].option]) {
            if (items_[member.item].kind != Item::Kind::bit || problem.lower[member.item] == 0 ||
                in_supply(member.item))
                continue;
            demanding_[member.item].push_back(m);
            for (const Member& other : options_[moves[m].option])
                if (items_[other.item].kind == Item::Kind::bit && !in_supply(other.item))
                    put(near_[member.item], items_[other.item].field);
        }
}

// Which items share an option with which bits, and so with which moves.
void Plan::find_near() {
    near = Masks(words);
    if (words > Masks::kShort) return;
    std::vector<std::vector<std::uint64_t>> of_bit(64 * words, std::vector<std::uint64_t>(words));
    for (std::size_t i = 0; i < near_.size(); ++i)
        for (const Part& part : near_[i])
            for (std::uint64_t rest = part.bits; rest != 0; rest &= rest - 1) {
                const std::size_t bit =
                    64 * part.word + static_cast<std::size_t>(std::countr_zero(rest));
                of_bit[bit][items_[i].field.word] |= items_[i].field.mask << items_[i].field.shift;
            }
    for (std::size_t m = 0; m + 1 < moves.size(); ++m) {
        std::vector<std::uint64_t> all(words);
        taken.each_bit(m, [&](std::size_t bit) {
            for (std::size_t w = 0; w < words; ++w) all[w] |= of_bit[bit][w];
        });
        Mask mask;
        for (std::size_t w = 0; w < words; ++w)
            if (all[w] != 0) mask.push_back({static_cast<std::uint32_t>(w), all[w]});
        near.add(mask);
    }
    near_ = {};
}

std::vector<std::uint32_t> Plan::anchors_of_moves() const {
    std::vector<bool> anchors(items_.size());
    for (const Index anchor : anchors_)
        if (anchor >= 0) anchors[anchor] = true;
    std::vector<std::uint32_t> counts;
    for (std::size_t m = 0; m + 1 < moves.size(); ++m) {
        std::uint32_t count = 0;
        for (const Member& member : options_[moves[m].option]) count += anchors[member.item];
        counts.push_back(std::max(count, 1u));
    }
    return counts;
}

static bool contains(const Mask& mask, const Mask& small) {
    auto at = mask.begin();
    for (const Part& part : small) {
        while (at != mask.end() && at->word < part.word) ++at;
        if (at == mask.end() || at->word != part.word || (part.bits & ~at->bits) != 0) return false;
    }
    return true;
}

// The masks that contain no other one, those of few bits first; of equal ones, the first.
static std::vector<Mask> least(std::vector<Mask> masks) {
    std::vector<std::pair<int, std::size_t>> order;
    for (const Mask& mask : masks) {
        int count = 0;
        for (const Part& part : mask) count += std::popcount(part.bits);
        order.emplace_back(count, order.size());
    }
    std::sort(order.begin(), order.end());
    std::vector<Mask> left;
    for (const auto& entry : order) {
        const auto k = entry.second;
        const bool more = std::any_of(left.begin(), left.end(),
                                      [&](const Mask& small) { return contains(masks[k], small); });
        if (!more) left.push_back(std::move(masks[k]));
    }
    return left;
}

// An item is not watched while it has more options than this: it hardly ever loses all of them,
// and the time for `least` is quadratic.
static constexpr std::size_t kMostWatched = 500;

// For each option with an item from a block on: the bits that must not be set for it to be taken.
// Nothing if one of them can always be taken, or if there are too many. Only items that can be used
// by now have bits.
std::vector<Mask> Plan::obstacles(std::size_t item, std::size_t block) const {
    std::vector<Mask> masks;
    for (const std::size_t m : demanding_[item]) {
        if (m < blocks[block].moves) break;
        Mask mask;
        for (const Member& member : options_[moves[m].option]) {
            const Item& other = items_[member.item];
            if (other.kind != Item::Kind::bit || member.item == static_cast<Index>(item) ||
                other.open >= static_cast<std::ptrdiff_t>(block) || in_supply(member.item))
                continue;
            put(mask, other.field);
        }
        if (mask.empty() || masks.size() == kMostWatched) return {};
        masks.push_back(std::move(mask));
    }
    return least(std::move(masks));
}

Demands Plan::demands(std::size_t block) const {
    Demands found;
    found.masks = found.near = Masks(words);
    const bool is_short = words <= Masks::kShort;
    if (is_short) found.item_of.assign(64 * words, 0);
    const auto before = static_cast<std::ptrdiff_t>(block);
    for (std::size_t i = 0; i < demanding_.size(); ++i) {
        const Item& item = items_[i];
        if (demanding_[i].empty() || item.open >= before || item.close < before) continue;
        const std::vector<Mask> masks = obstacles(i, block);
        if (masks.empty()) continue;
        found.items.push_back({item.field, static_cast<std::size_t>(item.open),
                               is_short ? found.groups.size() / words : found.masks.size()});
        if (is_short) {
            found.add_groups(masks, words);
            found.bits[item.field.word] |= item.field.mask << item.field.shift;
            found.item_of[64 * item.field.word + item.field.shift] =
                static_cast<std::uint32_t>(found.items.size() - 1);
        } else {
            for (const Mask& mask : masks) found.masks.add(mask);
            found.near.add(near_[i]);
        }
    }
    found.items.push_back(
        {Field{}, 0, is_short ? found.groups.size() / words : found.masks.size()});
    if (is_short) found.free_mask = free_mask(words);
    return found;
}

void Demands::add_groups(const std::vector<Mask>& of_item, std::size_t words) {
    for (std::size_t begin = 0; begin < of_item.size(); begin += 8) {
        const std::size_t first = groups.size();
        groups.resize(first + words, {});
        for (std::size_t lane = 0; lane < 8; ++lane)
            for (const Part& part : of_item[std::min(begin + lane, of_item.size() - 1)])
                groups[first + part.word].words[lane] = part.bits;
    }
}

template <std::size_t Words>
bool Demands::can_meet(std::size_t demand, const std::uint64_t* state, Hints& hints) const {
    const std::size_t begin = items[demand].masks, end = items[demand + 1].masks;
    if constexpr (Words == 0) {
        for (std::size_t m = begin; m < end; ++m)
            if (!masks.meets<0>(m, state)) return true;
        return false;
    } else {
        std::uint64_t* const hint = &hints.masks[Words * demand];
        std::uint64_t common = 0;
        for (std::size_t w = 0; w < Words; ++w) common |= hint[w] & state[w];
        if (common == 0) return true;
        const std::size_t found = free_mask(groups[begin * Words].words.data(), end - begin, state);
        if (found == 8 * (end - begin)) return false;
        for (std::size_t w = 0; w < Words; ++w)
            hint[w] = groups[(begin + found / 8) * Words + w].words[found % 8];
        return true;
    }
}

// An option that could be taken before, but not now, shares an item with the move that was taken.
// So the items of this option, among them that of the demand, are near the move.
template <std::size_t Words>
bool Demands::fail(const std::uint64_t* state, const Plan& plan, std::size_t took,
                   Hints& hints) const {
    for (std::size_t w = 0; w < Words; ++w) {
        std::uint64_t due = bits[w] & ~state[w];
        if (took != kNothing) due &= hints.fresh[w] | plan.near.words_of(took)[w];
        for (; due != 0; due &= due - 1) {
            const std::size_t bit = 64 * w + static_cast<std::size_t>(std::countr_zero(due));
            if (!can_meet<Words>(item_of[bit], state, hints)) return true;
        }
    }
    return false;
}

bool Demands::fail(const std::uint64_t* state, const Plan& plan, std::size_t took,
                   std::size_t earlier, Hints& hints) const {
    for (std::size_t d = 0; d + 1 < items.size(); ++d) {
        if (took != kNothing && items[d].open < earlier && !near.meets(d, plan.taken, took))
            continue;
        if (items[d].field.get(state) == 0 && !can_meet<0>(d, state, hints)) return true;
    }
    return false;
}

bool Demands::hopeless(const std::uint64_t* state, const Plan& plan, std::size_t took,
                       std::size_t earlier, Hints& hints) const {
    static_assert(Masks::kShort == 4);
    if (plan.words > Masks::kShort) return fail(state, plan, took, earlier, hints);
    if (hints.masks.empty()) hints.masks.assign(plan.words * items.size(), ~std::uint64_t{0});
    if (hints.since != earlier) {
        hints.since = earlier;
        hints.fresh.fill(0);
        for (std::size_t d = 0; d + 1 < items.size(); ++d)
            if (const Field& field = items[d].field; items[d].open >= earlier)
                hints.fresh[field.word] |= field.mask << field.shift;
    }
    switch (plan.words) {
        case 1:
            return fail<1>(state, plan, took, hints);
        case 2:
            return fail<2>(state, plan, took, hints);
        case 3:
            return fail<3>(state, plan, took, hints);
        default:
            return fail<4>(state, plan, took, hints);
    }
}

}  // namespace exactile
