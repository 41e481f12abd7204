"""Makes python.csv anew: python3 make.py, from this folder, after make.R. Needs scipy, statsmodels and lifelines.

What they say of the cases of results.csv that they know too, written as there: a second opinion, by others' code. There is no line where R
has no answer, or where these packages compute another thing than R does (named below).
"""
import csv
import math
import warnings

import lifelines
import numpy as np
import pandas as pd
import scipy
import statsmodels
import statsmodels.formula.api as smf
from lifelines.statistics import multivariate_logrank_test
from scipy import stats
from statsmodels.duration.survfunc import survdiff
from statsmodels.stats.contingency_tables import Table2x2, mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.oneway import anova_oneway
from statsmodels.stats.rates import confint_poisson, test_poisson_2indep

warnings.simplefilter("ignore")
with open("results.csv") as file:
    R = {(case, key): value for case, key, value in list(csv.reader(file))[1:]}
lines = []


def put(case, key, values):
    """One value, or several with numbers from one on."""
    single = np.ndim(values) == 0
    for index, value in enumerate(np.atleast_1d(values)):
        name = key if single else f"{key}{index + 1}"
        known = R.get((case, name), "NA")
        if known != "NA" and math.isfinite(float(known)) and math.isfinite(value):
            lines.append((case, name, repr(float(value))))


def put_test(case, result):
    put(case, "statistic", result.statistic)
    put(case, "p", result.pvalue)


def pairs(a, b):
    kept = np.isfinite(a) & np.isfinite(b)
    return a[kept], b[kept]


def groups_of(values, by):
    return [values[(by == level) & np.isfinite(values)] for level in np.unique(by[np.isfinite(by)])]


# --- measurements of people -------------------------------------------------------------------------------------------------------------
people = pd.read_csv("people.csv")
column = {name: people[name].to_numpy(float) for name in people}
QUANTILES = ["inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf", "hazen", "weibull", "linear",
             "median_unbiased", "normal_unbiased"]
for size in (1, 2, 5, 6, 7, 37, 180):
    x, case = column["skewed"][:size], f"describe{size}"
    put(case, "mean", np.mean(x))
    put(case, "median", np.median(x))
    put(case, "geometric", stats.gmean(x))
    if size > 1:
        put(case, "sd", np.std(x, ddof=1))
        put(case, "mean_interval", stats.ttest_1samp(x, 0).confidence_interval())
    for number, method in enumerate(QUANTILES, 1):
        put(case, f"type{number}_", np.quantile(x, (0, 0.1, 0.25, 0.5, 0.75, 0.9, 1), method=method))

for case, equal in (("welch", False), ("student", True)):
    result = stats.ttest_ind(*groups_of(column["x"], column["two"]), equal_var=equal)
    put_test(case, result)
    put(case, "df", result.df)
    put(case, "interval", result.confidence_interval())
paired = stats.ttest_rel(*pairs(column["x"], column["y"]))
put_test("paired", paired)
put("paired", "interval", paired.confidence_interval())
put_test("anova", stats.f_oneway(*groups_of(column["x"], column["group"])))
welch = anova_oneway(groups_of(column["x"], column["group"]), use_var="unequal", welch_correction=True)
put_test("welch_anova", welch)
put("welch_anova", "df", welch.df)
put_test("mann_whitney_ties", stats.mannwhitneyu(*groups_of(column["tied"], column["two"]), method="asymptotic"))
put_test("mann_whitney_large", stats.mannwhitneyu(*groups_of(column["skewed"], column["two"]), method="asymptotic"))
for size in (3, 9, 40, 90, 120):
    by_two = groups_of(column["skewed"][:size], column["two"][:size])
    if len(by_two) == 2:
        # R counts exactly below fifty a group.
        put_test(f"mann_whitney{size}", stats.mannwhitneyu(*by_two, method="exact" if max(map(len, by_two)) < 50 else "asymptotic"))
# Of the sums of ranks scipy tells the lesser and R the first: the p alone is compared.
put("signed_rank_ties", "p", stats.wilcoxon(*pairs(column["tied"], column["category"]), correction=True, method="asymptotic").pvalue)
for size in (1, 2, 8, 30, 49):
    put(f"signed_rank{size}", "p", stats.wilcoxon(column["skewed"][:size], column["y"][:size] / 8, method="exact").pvalue)
put("signed_rank_large", "p", stats.wilcoxon(column["skewed"], column["y"] / 8, correction=True, method="asymptotic").pvalue)
put_test("kruskal", stats.kruskal(*groups_of(column["x"], column["group"])))
put_test("kruskal_ties", stats.kruskal(*groups_of(column["tied"], column["group"])))
pearson = stats.pearsonr(*pairs(column["x"], column["y"]))
put("pearson", "estimate", pearson.statistic)
put("pearson", "p", pearson.pvalue)
put("pearson", "interval", pearson.confidence_interval())
spearman = stats.spearmanr(*pairs(column["tied"], column["y"]))
put("spearman", "estimate", spearman.statistic)
put("spearman", "p", spearman.pvalue)

counts = pd.crosstab(people["group"], people["category"]).to_numpy()
put_test("chi_squared", stats.chi2_contingency(counts))
for cells in ((3, 1, 1, 3), (10, 2, 3, 15), (0, 5, 6, 4), (12, 5, 29, 2), (100, 250, 80, 310), (2, 20, 5000, 90000)):
    square, case = np.reshape(cells, (2, 2)), "square" + "_".join(map(str, cells))
    put(case, "fisher_p", stats.fisher_exact(square).pvalue)
    odds = stats.contingency.odds_ratio(square, kind="conditional")
    put(case, "odds", odds.statistic)
    put(case, "odds_interval", odds.confidence_interval())
    put(case, "yates", stats.chi2_contingency(square).statistic)
    put(case, "plain", stats.chi2_contingency(square, correction=False).statistic)
    if cells[1] != cells[2]:
        # Of equal counts statsmodels corrects a difference of nothing.
        put(case, "mcnemar", mcnemar(square, exact=False).statistic)
    put(case, "mcnemar_plain", mcnemar(square, exact=False, correction=False).statistic)
    put(case, "mcnemar_exact", mcnemar(square).pvalue)
effects = Table2x2([[10, 20], [15, 40]])
put("effects", "odds", (effects.oddsratio, *effects.oddsratio_confint()))
put("effects", "risk", (effects.riskratio, *effects.riskratio_confint()))
for count, n in ((0, 10), (1, 10), (7, 10), (10, 10), (431, 1000), (50321, 100000)):
    case, result = f"share{count}_{n}", stats.binomtest(count, n, 0.3)
    put(case, "exact", result.proportion_ci(method="exact"))
    put(case, "wilson", result.proportion_ci(method="wilson"))
    put(case, "p30_", result.pvalue)
    put(case, "p50_", stats.binomtest(count, n, 0.5).pvalue)
for count in (0, 1, 5, 65, 1200, 90000):
    put("poisson", str(count), confint_poisson(count, 1, method="exact-c"))
put("rate_ratio", "p", test_poisson_2indep(11, 800, 6, 1083, method="exact-cond").pvalue)
p = (0.01, 0.04, 0.03, 0.005, 0.5, 0.04)
put("adjust", "holm", multipletests(p, method="holm")[1])
put("adjust", "bh", multipletests(p, method="fdr_bh")[1])
for n in (1, 5, 40, 1000):
    for share in (0.025, 0.999):
        count = stats.binom.ppf(share, n, 0.12)
        put(f"funnel{n}", f"at{share}", (count - (stats.binom.cdf(count, n, 0.12) - share) / stats.binom.pmf(count, n, 0.12)) / n)


# --- models of people -------------------------------------------------------------------------------------------------------------------
def in_order(table, names):
    return [table[name] for name in names]


least = smf.ols("y ~ x + C(category) * two", people).fit()
order = ["Intercept", "x", *(f"C(category)[T.{level}]" for level in (1, 2, 3)), "two", *(f"C(category)[T.{level}]:two" for level in (1, 2, 3))]
put("linear", "beta", in_order(least.params, order))
put("linear", "se", in_order(least.bse, order))
put("linear", "sigma", math.sqrt(least.scale))
put("linear", "r2_", least.rsquared)
put("linear", "adjusted", least.rsquared_adj)
put("linear", "f", least.fvalue)
put("linear", "interval", least.conf_int().loc["x"].to_numpy())
logit = smf.logit("event ~ x + two + C(group)", people).fit(disp=0, tol=1e-14)
order = ["Intercept", "x", "two", "C(group)[T.1.0]", "C(group)[T.2.0]"]
put("logistic", "beta", in_order(logit.params, order))
put("logistic", "se", in_order(logit.bse, order))
put("logistic", "deviance", -2 * logit.llf)
put("logistic", "null", -2 * logit.llnull)

# --- follow-up --------------------------------------------------------------------------------------------------------------------------
follow = pd.read_csv("follow.csv")


def kaplan_meier(times, status, **more):
    fit = lifelines.KaplanMeierFitter().fit(times, status, **more)
    rows = fit.survival_function_.index > 0 if not more else fit.survival_function_.index.isin(np.unique(times))
    return fit, fit.survival_function_.iloc[:, 0].to_numpy()[rows], fit.confidence_interval_.to_numpy()[rows]


# lifelines has the log-log band alone.
fit, surv, band = kaplan_meier(follow["time"], follow["status"])
for case in ("km_plain", "km_log", "km_log-log"):
    put(case, "surv", surv)
    put(case, "risk", fit.event_table["at_risk"].to_numpy()[1:])
put("km_log-log", "low", band[:, 0])
put("km_log-log", "high", band[:, 1])
put("km_entry", "surv", kaplan_meier(follow["time"], follow["status"], entry=follow["entry"])[1])
small = kaplan_meier(np.array([1, 1, 2, 3, 3, 4]), np.array([1, 0, 1, 1, 1, 1]))
put("km_small", "surv", small[1])
put("km_small", "low", small[2][:, 0])
put("km_small", "high", small[2][:, 1])
mean, variance = lifelines.utils.restricted_mean_survival_time(fit, t=60, return_variance=True)
put("rmean", "at60_1", mean)
hazard = lifelines.NelsonAalenFitter(nelson_aalen_smoothing=False).fit(follow["time"], follow["status"])
put("nelson", "hazard", hazard.cumulative_hazard_.iloc[1:, 0].to_numpy())

put("log_rank", "chisq", multivariate_logrank_test(follow["time"], follow["arm"], follow["status"]).test_statistic)
put("log_rank_two", "chisq", multivariate_logrank_test(follow["time"], follow["sex"], follow["status"]).test_statistic)
put("log_rank_strata", "chisq", survdiff(follow["time"], follow["status"], follow["arm"], strata=follow["site"])[0])
put("gehan", "chisq", multivariate_logrank_test(follow["time"], follow["arm"], follow["status"], weightings="wilcoxon").test_statistic)
put("tarone", "chisq", multivariate_logrank_test(follow["time"], follow["arm"], follow["status"], weightings="tarone-ware").test_statistic)

known = follow.dropna(subset=["age"]).assign(arm1=lambda d: (d.arm == 1) * 1.0, arm2=lambda d: (d.arm == 2) * 1.0)
PRECISE = {"precision": 1e-12}


def put_cox(case, data, names, **more):
    fit = lifelines.CoxPHFitter().fit(data[[*names, "time", "status", *more.get("strata", []), *filter(None, [more.get("entry_col")])]],
                                      "time", "status", fit_options=PRECISE, **more)
    put(case, "beta", in_order(fit.params_, names))
    put(case, "se", in_order(fit.standard_errors_, names))
    # Of late entries lifelines' concordance knows nothing, and its strata count pairs otherwise: it is not compared.
    put(case, "loglik2", fit.log_likelihood_)
    if "strata" not in more:
        put(case, "loglik1", fit.log_likelihood_ - fit.log_likelihood_ratio_test().test_statistic / 2)


put_cox("cox", known, ["age", "sex", "arm1", "arm2"])
put_cox("cox_strata", known.assign(both=known.age * known.sex), ["age", "sex", "both"], strata=["site"])
put_cox("cox_entry", known, ["age", "sex"], entry_col="entry")
breslow = statsmodels.duration.hazard_regression.PHReg(known["time"], known[["age", "sex", "arm1", "arm2"]], known["status"], ties="breslow").fit()
put("cox_breslow", "beta", breslow.params)
put("cox_breslow", "se", breslow.bse)
put("cox_breslow", "loglik2", breslow.llf)

# --- many small sets --------------------------------------------------------------------------------------------------------------------
tiny = pd.read_csv("tiny.csv")
for number, rows in tiny.groupby("set"):
    case, times = f"tiny{number}", rows["time"].to_numpy(float)
    x, events = rows["x"].to_numpy(float), rows["event"].to_numpy()
    by_two, by_group = groups_of(x, rows["two"].to_numpy(float)), groups_of(x, rows["group"].to_numpy(float))
    if (times > 0).all():
        # lifelines begins at zero, where deaths of day zero are none.
        _, surv, band = kaplan_meier(times, events)
        put(case, "surv", surv)
        put(case, "low", np.where(surv < 1, band[:, 0], np.nan))
    if events.any() and len(by_group) > 1:
        put(case, "log_rank", multivariate_logrank_test(times, rows["group"], events).test_statistic)
    if len(by_two) == 2:
        if min(map(len, by_two)) > 1:
            put(case, "welch", stats.ttest_ind(*by_two, equal_var=False).pvalue)
        if len(x) > 2:
            put(case, "student", stats.ttest_ind(*by_two).pvalue)
        ties = len(np.unique(x)) < len(x)
        put(case, "mann", stats.mannwhitneyu(*by_two, method="asymptotic" if ties else "exact").pvalue)
    if len(by_group) > 1:
        put(case, "kruskal", stats.kruskal(*by_group).pvalue if len(np.unique(x)) > 1 else math.nan)
        if len(x) > len(by_group):
            put(case, "anova", stats.f_oneway(*by_group).pvalue)
    if len(x) > 2:
        put(case, "pearson", stats.pearsonr(x, times).pvalue)
    table = pd.crosstab(rows["group"], rows["time"]).to_numpy()
    if min(table.shape) > 1:
        put(case, "chi", stats.chi2_contingency(table).pvalue)
        if table.shape == (2, 2):
            put(case, "fisher", stats.fisher_exact(table).pvalue)
    difference = x - times
    used = np.abs(difference[difference != 0])
    if len(used) and (len(np.unique(used)) < len(used) or len(used) < len(x)):
        put(case, "signed", stats.wilcoxon(x, times, correction=True, method="asymptotic").pvalue)
    elif len(used):
        put(case, "signed", stats.wilcoxon(x, times, method="exact").pvalue)

# --- many rows --------------------------------------------------------------------------------------------------------------------------
for size in (10, 1000, 100000):
    i, case = np.arange(size), f"many{size}"
    data = pd.DataFrame({"time": i * 7919 % 9973 // 7 + 1.0, "status": (i * 31 % 11 < 4) * 1.0, "x": i * 104729 % 1009 / 10, "z": i * 13 % 5 * 1.0,
                         "group": i * 3 % 4 // 2 + (i * 17 % 29 < 5) * 1})
    x, status = data["x"].to_numpy(), data["status"].to_numpy()
    if size == 1000:
        # Of more rows lifelines ends before the last digits that it is asked for.
        put_cox(case, data, ["x", "z"])
    put(case, "log_rank", multivariate_logrank_test(data["time"], data["group"], status).test_statistic)
    put(case, "surv", kaplan_meier(data["time"], status)[1][-1])
    put(case, "sd", np.std(x, ddof=1))
    put(case, "kruskal", stats.kruskal(*groups_of(x, data["group"].to_numpy(float))).statistic)
    put(case, "welch_p", stats.ttest_ind(*groups_of(x, status), equal_var=False).pvalue)
    put(case, "mann", stats.mannwhitneyu(*groups_of(x, status), method="asymptotic").pvalue)
    put(case, "spearman", stats.spearmanr(x, data["time"]).statistic)

with open("python.csv", "w") as file:
    file.write("case,key,value\n")
    file.writelines(",".join(line) + "\n" for line in lines)
with open("python-versions.txt", "w") as file:
    file.write("".join(f"{package.__name__} {package.__version__}\n" for package in (np, scipy, statsmodels, lifelines)))
