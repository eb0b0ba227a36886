#include "beam.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_set>
#include <utility>

namespace exactile {

namespace {

// The measures of a state, found by trial on puzzles of several lattices; docs/first.md.
constexpr double kAwkward = 0.5;     // an awkward piece is used
constexpr double kPerimeter = 0.15;  // an open unit lies beside a filled one
constexpr double kUnit = 0.7;        // live options of a unit, against those of a piece
constexpr double kMissing = 1.5;     // a piece without options, in a lenient beam
constexpr double kSurplus = 3;       // a piece is used too often, in a lenient beam
constexpr double kQuickNoise = 0.3;
constexpr double kNoise = 0.05;

constexpr std::size_t kMostBytes = std::size_t{1} << 28;  // of all states together
constexpr Index kLogs = 1 << 16;
constexpr double kDead = -std::numeric_limits<double>::infinity();

}  // namespace

Beam::Beam(const Ground& ground, const std::vector<Index>& order, const BeamSetting& setting,
           Dice& dice)
    : ground_(ground), setting_(setting), dice_(dice), order_(order) {
    sort_options(order);
    const std::size_t slots = static_cast<std::size_t>(ground.problem.slot_count());
    for (std::size_t slot = 0; slot < slots; ++slot) code_.push_back(dice.next());
    logs_.assign(kLogs, 0);
    for (Index n = 1; n < kLogs; ++n) logs_[n] = std::log(n);
    mark_.assign(ground.cover().lower.size(), 0);
    const std::size_t bytes =
        option_.size() / 8 + slots * sizeof(Index) + ground.cover().lower.size() * sizeof(Index);
    const auto most = std::max<std::size_t>(2, kMostBytes / (2 * bytes + 1));
    width_ = std::min(static_cast<std::size_t>(std::max(setting.width, Index{1})), most);
}

// Place the options by their first unit, those without units last, and list them by item.
void Beam::sort_options(const std::vector<Index>& order) {
    const Problem& problem = ground_.problem;
    const std::size_t items = problem.cover.lower.size();
    const std::size_t last = order.size();
    std::vector<std::size_t> place(items, last), anchor(problem.options(), last);
    for (std::size_t p = 0; p < order.size(); ++p) place[order[p]] = p;
    start_.assign(order.size() + 2, 0);
    for (std::size_t o = 0; o < problem.options(); ++o) {
        for (const Index item : ground_.members(static_cast<Index>(o)))
            anchor[o] = std::min(anchor[o], place[item]);
        ++start_[anchor[o] + 1];
    }
    std::partial_sum(start_.begin(), start_.end(), start_.begin());
    option_.resize(problem.options());
    std::vector<std::size_t> next(start_);
    for (std::size_t o = 0; o < problem.options(); ++o)
        option_[next[anchor[o]]++] = static_cast<Index>(o);

    first_.assign(1, 0);
    begin_.assign(items + 1, 0);
    for (const Index o : option_) {
        for (std::int64_t k = problem.cover.first[o]; k < problem.cover.first[o + 1]; ++k) {
            slots_.push_back(problem.slots[k]);
            ++begin_[problem.cover.members[k] + 1];
        }
        first_.push_back(slots_.size());
    }
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    places_.resize(slots_.size());
    next = begin_;
    for (std::size_t p = 0; p < option_.size(); ++p)
        for (std::size_t k = first_[p]; k < first_[p + 1]; ++k)
            places_[next[problem.item_of[slots_[k]]]++] = static_cast<Index>(p);
}

Beam::State Beam::root() {
    const Cover& cover = ground_.cover();
    State state;
    state.live.assign((option_.size() + 63) / 64, 0);
    for (std::size_t p = 0; p < option_.size(); ++p) state.live[p / 64] |= Word{1} << (p % 64);
    state.count.assign(static_cast<std::size_t>(ground_.problem.slot_count()), 0);
    for (const Index slot : slots_) ++state.count[slot];
    state.used.assign(cover.lower.size(), 0);
    state.open = static_cast<Index>(order_.size());
    for (Index i = 0; i < cover.items(); ++i)
        if (cover.upper[i] == 0) strike_rivals(state, i);
    return state;
}

std::vector<Survivor> Beam::run() {
    states_.clear();
    states_.push_back(root());
    if (judge(states_[0]) == kDead) return {};
    while (!at_end()) {
        children_.clear();
        for (std::size_t s = 0; s < states_.size(); ++s) branch(s);
        prune();
        keep();
        if (next_.empty()) return {};
        states_.swap(next_);
    }
    std::sort(states_.begin(), states_.end(),
              [](const State& a, const State& b) { return a.score > b.score; });
    std::vector<Survivor> survivors;
    for (State& state : states_) {
        Survivor survivor{std::move(state.chosen), {}, std::move(state.used), state.score};
        for (std::size_t w = start_[state.front] / 64; w < state.live.size(); ++w)
            for (Word rest = state.live[w]; rest; rest &= rest - 1)
                survivor.live.push_back(
                    option_[w * 64 + static_cast<std::size_t>(std::countr_zero(rest))]);
        survivors.push_back(std::move(survivor));
    }
    return survivors;
}

bool Beam::at_end() const {
    const auto is_done = [](const State& state) { return state.open == 0; };
    return open() <= setting_.rest || std::any_of(states_.begin(), states_.end(), is_done);
}

double Beam::open() const {
    double sum = 0;
    for (const State& state : states_) sum += state.open;
    return states_.empty() ? 0 : sum / static_cast<double>(states_.size());
}

// Add the children of a state: the live options with its first open unit. If there are none, a
// lenient beam takes options of pieces that are used up.
void Beam::branch(std::size_t parent) {
    const State& state = states_[parent];
    const std::size_t before = children_.size();
    for (std::size_t p = start_[state.front]; p < start_[state.front + 1]; ++p)
        if (is_live(state, p)) add_child(parent, p, 0);
    if (!setting_.lenient || children_.size() > before) return;
    for (std::size_t p = start_[state.front]; p < start_[state.front + 1]; ++p)
        if (has_room(state, p)) add_child(parent, p, kSurplus);
}

void Beam::add_child(std::size_t parent, std::size_t place, double penalty) {
    const State& state = states_[parent];
    const Index option = option_[place];
    std::uint64_t hash = state.hash;
    for (std::size_t k = first_[place]; k < first_[place + 1]; ++k) hash += code_[slots_[k]];
    const double quick = state.quick + kAwkward * ground_.awkwardness(option) -
                         kPerimeter * perimeter(state, option) + kQuickNoise * dice_.fraction();
    children_.push_back({parent, place, quick - penalty, 0, hash});
}

bool Beam::is_live(const State& state, std::size_t place) {
    return state.live[place / 64] >> (place % 64) & 1;
}

// Whether an option is at odds with nothing but the bounds of pieces.
bool Beam::has_room(const State& state, std::size_t place) const {
    const Problem& problem = ground_.problem;
    for (std::size_t k = first_[place]; k < first_[place + 1]; ++k) {
        const Index item = problem.item_of[slots_[k]];
        const Index most = problem.colored(slots_[k]) ? 1 : problem.cover.upper[item];
        if (!ground_.is_piece(item) && state.used[item] >= most) return false;
    }
    return true;
}

// Whether a unit without live options can be filled by a piece that is used up.
bool Beam::can_be_paid(const State& state, Index unit) const {
    const auto end = places_.begin() + static_cast<std::ptrdiff_t>(begin_[unit + 1]);
    return std::any_of(
        std::lower_bound(places_.begin() + static_cast<std::ptrdiff_t>(begin_[unit]), end,
                         static_cast<Index>(start_[state.front])),
        end, [&](Index place) { return has_room(state, static_cast<std::size_t>(place)); });
}

// By how much an option makes the border between filled and open units longer.
double Beam::perimeter(const State& state, Index option) {
    ++time_;
    for (const Index item : ground_.members(option)) mark_[item] = time_;
    double sum = 0;
    for (const Index item : ground_.members(option))
        for (const Index other : ground_.neighbors(item))
            if (mark_[other] != time_) sum += state.used[other] ? -1 : 1;
    return sum;
}

// Evaluate the most promising children exactly; leave out dead ones and those of equal states.
void Beam::prune() {
    const std::size_t most =
        width_ * static_cast<std::size_t>(std::max(setting_.children, Index{1}));
    if (children_.size() > most) {
        std::nth_element(children_.begin(), children_.begin() + static_cast<std::ptrdiff_t>(most),
                         children_.end(),
                         [](const Child& a, const Child& b) { return a.quick > b.quick; });
        children_.resize(most);
    }
    std::unordered_set<std::uint64_t> seen;
    std::size_t kept = 0;
    for (Child& child : children_) {
        if (!seen.insert(child.hash).second) continue;
        if (ground_.stop.load(std::memory_order_relaxed)) return children_.clear();
        copy(states_[child.parent], scratch_);
        choose(scratch_, child.place);
        child.score = judge(scratch_);
        if (child.score == kDead) continue;
        child.score += kNoise * dice_.fraction();
        children_[kept++] = child;
    }
    children_.resize(kept);
}

// Make the next states of the best children.
void Beam::keep() {
    if (children_.size() > width_) {
        std::nth_element(children_.begin(), children_.begin() + static_cast<std::ptrdiff_t>(width_),
                         children_.end(),
                         [](const Child& a, const Child& b) { return a.score > b.score; });
        children_.resize(width_);
    }
    next_.resize(children_.size());
    for (std::size_t s = 0; s < children_.size(); ++s) {
        const Child& child = children_[s];
        State& state = next_[s];
        copy(states_[child.parent], state);
        state.chosen = states_[child.parent].chosen;
        choose(state, child.place);
        state.chosen.push_back(option_[child.place]);
        state.quick = child.quick;
        state.score = child.score;
        state.hash = child.hash;
    }
}

// All but what was chosen; options before the front are dead in both.
void Beam::copy(const State& from, State& to) {
    const std::size_t word = start_[from.front] / 64;
    to.live.resize(from.live.size());
    std::fill_n(to.live.begin(), word, 0);
    std::copy(from.live.begin() + static_cast<std::ptrdiff_t>(word), from.live.end(),
              to.live.begin() + static_cast<std::ptrdiff_t>(word));
    to.count = from.count;
    to.used = from.used;
    to.front = from.front;
    to.open = from.open;
    work_ += (from.live.size() - word + from.count.size() + from.used.size()) / 8;
}

void Beam::choose(State& state, std::size_t place) {
    const Problem& problem = ground_.problem;
    if (is_live(state, place)) strike(state, place);
    for (std::size_t k = first_[place]; k < first_[place + 1]; ++k) {
        const Index slot = slots_[k];
        if (problem.colored(slot)) {
            state.used[problem.item_of[slot]] = 1;
            strike_rivals(state, slot);
            continue;
        }
        if (++state.used[slot] == problem.cover.upper[slot]) strike_rivals(state, slot);
        state.open -= ground_.is_unit(slot);
    }
    advance(state);
}

void Beam::strike(State& state, std::size_t place) {
    state.live[place / 64] &= ~(Word{1} << (place % 64));
    for (std::size_t k = first_[place]; k < first_[place + 1]; ++k) --state.count[slots_[k]];
    ++work_;
}

// Strike the live options that contain the slot's item, but not those with its color.
void Beam::strike_rivals(State& state, Index slot) {
    const Problem& problem = ground_.problem;
    const Index item = problem.item_of[slot];
    const auto end = places_.begin() + static_cast<std::ptrdiff_t>(begin_[item + 1]);
    auto at = std::lower_bound(places_.begin() + static_cast<std::ptrdiff_t>(begin_[item]), end,
                               static_cast<Index>(start_[state.front]));
    for (; at != end; ++at) {
        const auto place = static_cast<std::size_t>(*at);
        if (!is_live(state, place)) continue;
        if (problem.colored(slot) &&
            std::find(slots_.begin() + static_cast<std::ptrdiff_t>(first_[place]),
                      slots_.begin() + static_cast<std::ptrdiff_t>(first_[place + 1]),
                      slot) != slots_.begin() + static_cast<std::ptrdiff_t>(first_[place + 1]))
            continue;
        strike(state, place);
    }
}

void Beam::advance(State& state) const {
    while (state.front < order_.size() && state.used[order_[state.front]]) ++state.front;
}

// How much is left to choose from: the sum of the logarithms of the numbers of live options, over
// all items that need some.
double Beam::judge(const State& state) const {
    double pieces = 0;
    double units = 0;
    for (const Index item : ground_.demands()) {
        const Index need = ground_.cover().lower[item] - state.used[item];
        if (need <= 0) continue;
        if (state.count[item] >= need)
            pieces += need * logarithm(state.count[item]);
        else if (setting_.lenient && ground_.is_piece(item))
            pieces -= kMissing * need;
        else
            return kDead;
    }
    for (std::size_t p = state.front; p < order_.size(); ++p) {
        const Index item = order_[p];
        if (state.used[item]) continue;
        if (state.count[item] > 0)
            units += logarithm(state.count[item]);
        else if (setting_.lenient && can_be_paid(state, item))
            units -= kSurplus;
        else
            return kDead;
    }
    return pieces + kUnit * units;
}

double Beam::logarithm(Index count) const { return logs_[std::min(count, kLogs - 1)]; }

}  // namespace exactile
