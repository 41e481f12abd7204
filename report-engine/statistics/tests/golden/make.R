# Makes results.csv and the data beside it anew: Rscript make.R, from this folder. Needs the packages survival, cmprsk and pROC.
# Each line of results.csv is a case, a key and a value; tests/golden.rs computes the same from the same data.
suppressMessages({library(survival); library(cmprsk); library(pROC)})
options(digits = 15)
lines <- c("case,key,value")
put <- function(case, key, value, single = length(value) == 1) {
  value <- as.numeric(value)
  names <- if (single) key else paste0(key, seq_along(value))
  lines <<- c(lines, sprintf("%s,%s,%s", case, names, ifelse(is.na(value), "NA", formatC(value, digits = 15, format = "g", width = 1))))
}
save_data <- function(name, data) write.csv(data, paste0(name, ".csv"), row.names = FALSE, quote = FALSE)
hole <- function(x, share) { x[runif(length(x)) < share] <- NA; x }
writeLines(c(R.version.string, paste("survival", packageVersion("survival")), paste("cmprsk", packageVersion("cmprsk")),
             paste("pROC", packageVersion("pROC"))), "versions.txt")

test_of <- function(case, t) {
  put(case, "statistic", t$statistic)
  put(case, "p", t$p.value)
}

# --- measurements of people, with holes -----------------------------------------------------------------------------------------------
set.seed(20260101)
n <- 180
people <- data.frame(
  x = hole(round(rnorm(n, 50, 12), 3), 0.06),
  tied = hole(round(rnorm(n, 5, 2)), 0.06),
  skewed = round(exp(rnorm(n, 1, 0.8)), 4),
  group = hole(sample(0:2, n, TRUE, c(0.5, 0.3, 0.2)), 0.04),
  two = sample(0:1, n, TRUE),
  category = sample(0:3, n, TRUE, c(0.4, 0.3, 0.2, 0.1)))
people$y <- round(0.4 * ifelse(is.na(people$x), 50, people$x) + 3 * people$two + rnorm(n, 0, 8), 3)
people$event <- rbinom(n, 1, plogis(-3 + 0.05 * people$y + 0.6 * people$two))
save_data("people", people)

for (size in c(1, 2, 5, 6, 7, 37, 180)) {
  x <- people$skewed[1:size]
  case <- paste0("describe", size)
  put(case, "mean", mean(x)); put(case, "median", median(x))
  if (size > 1) {
    put(case, "sd", sd(x)); put(case, "mean_interval", t.test(x)$conf.int)
  }
  put(case, "geometric", exp(mean(log(x))))
  k <- qbinom(0.025, size, 0.5)
  if (k > 0) put(case, "median_interval", sort(x)[c(k, size - k + 1)])
  for (type in 1:9) put(case, paste0("type", type, "_"), quantile(x, c(0, 0.1, 0.25, 0.5, 0.75, 0.9, 1), type = type))
}
two_groups <- function(column) split(people[[column]], people$two)
welch <- t.test(x ~ two, people); student <- t.test(x ~ two, people, var.equal = TRUE)
test_of("welch", welch); put("welch", "df", welch$parameter); put("welch", "interval", welch$conf.int)
test_of("student", student); put("student", "interval", student$conf.int)
paired <- t.test(people$x, people$y, paired = TRUE); test_of("paired", paired); put("paired", "interval", paired$conf.int)
anova <- oneway.test(x ~ group, people, var.equal = TRUE); test_of("anova", anova)
welch_anova <- oneway.test(x ~ group, people); test_of("welch_anova", welch_anova); put("welch_anova", "df", welch_anova$parameter)
test_of("mann_whitney_ties", wilcox.test(tied ~ two, people, exact = FALSE))
test_of("mann_whitney_large", wilcox.test(skewed ~ two, people, exact = FALSE))
for (size in c(2, 3, 9, 40, 90, 120)) {
  head <- people[1:size, ]
  if (length(unique(head$two)) == 2) test_of(paste0("mann_whitney", size), wilcox.test(skewed ~ two, head))
}
test_of("signed_rank_ties", suppressWarnings(wilcox.test(people$tied, people$category, paired = TRUE)))
for (size in c(1, 2, 8, 30, 49)) test_of(paste0("signed_rank", size), wilcox.test(people$skewed[1:size], people$y[1:size] / 8, paired = TRUE))
test_of("signed_rank_large", wilcox.test(people$skewed, people$y / 8, paired = TRUE))
test_of("kruskal", kruskal.test(x ~ group, people)); test_of("kruskal_ties", kruskal.test(tied ~ group, people))
pearson <- cor.test(people$x, people$y); put("pearson", "estimate", pearson$estimate); put("pearson", "p", pearson$p.value)
put("pearson", "interval", pearson$conf.int)
spearman <- suppressWarnings(cor.test(people$tied, people$y, method = "spearman", exact = FALSE))
put("spearman", "estimate", spearman$estimate); put("spearman", "p", spearman$p.value)
for (size in c(4, 7, 9)) put(paste0("spearman", size), "p", cor.test(people$skewed[1:size], people$y[1:size], method = "spearman")$p.value)

# fisher.test's own odds ratios, solved to more digits than its uniroot does.
exact_odds <- function(square) {
  m <- sum(square[1, ]); n <- sum(square[2, ]); k <- sum(square[, 1]); x <- square[1, 1]; support <- max(0, k - n):min(k, m)
  logs <- dhyper(support, m, n, k, log = TRUE)
  chances <- function(log_odds) { d <- logs + log_odds * support; d <- exp(d - max(d)); d / sum(d) }
  solve_for <- function(f) exp(uniroot(f, c(-30, 30), tol = 1e-14)$root)
  least <- x == min(support); most <- x == max(support)
  c(if (least) 0 else if (most) Inf else solve_for(function(l) sum(support * chances(l)) - x),
    if (least) 0 else solve_for(function(l) sum(chances(l)[support >= x]) - 0.025),
    if (most) Inf else solve_for(function(l) sum(chances(l)[support <= x]) - 0.025))
}
counts <- table(people$group, people$category)
test_of("chi_squared", suppressWarnings(chisq.test(counts))); put("fisher_rxc", "p", fisher.test(counts, workspace = 2e8)$p.value)
for (cells in list(c(3, 1, 1, 3), c(10, 2, 3, 15), c(0, 5, 6, 4), c(12, 5, 29, 2), c(100, 250, 80, 310), c(2, 20, 5000, 90000))) {
  square <- matrix(cells, 2, byrow = TRUE); case <- paste0("square", paste(format(cells, scientific = FALSE, trim = TRUE), collapse = "_"))
  exact <- fisher.test(square)
  put(case, "fisher_p", exact$p.value); tight <- exact_odds(square); put(case, "odds", tight[1]); put(case, "odds_interval", tight[2:3])
  stopifnot(abs(atan(tight) - atan(c(exact$estimate, exact$conf.int))) < 2e-3)
  put(case, "yates", suppressWarnings(chisq.test(square)$statistic)); put(case, "plain", suppressWarnings(chisq.test(square, correct = FALSE)$statistic))
  put(case, "mcnemar", mcnemar.test(square)$statistic); put(case, "mcnemar_plain", mcnemar.test(square, correct = FALSE)$statistic)
  put(case, "mcnemar_exact", binom.test(cells[2], cells[2] + cells[3])$p.value)
}
test_of("trend", prop.trend.test(c(15, 10, 5, 0), c(30, 31, 29, 12), c(0, 1, 2, 4)))
for (cells in list(c(0, 10), c(1, 10), c(7, 10), c(10, 10), c(431, 1000), c(50321, 100000))) {
  case <- paste0("share", cells[1], "_", format(cells[2], scientific = FALSE))
  put(case, "exact", binom.test(cells[1], cells[2])$conf.int)
  put(case, "wilson", prop.test(cells[1], cells[2], correct = FALSE)$conf.int)
  put(case, "p30_", binom.test(cells[1], cells[2], 0.3)$p.value); put(case, "p50_", binom.test(cells[1], cells[2], 0.5)$p.value)
}
for (count in c(0, 1, 5, 65, 1200, 90000)) put("poisson", format(count, scientific = FALSE), poisson.test(count)$conf.int)
rates <- poisson.test(c(11, 6), c(800, 1083)); put("rate_ratio", "estimate", rates$estimate); put("rate_ratio", "p", rates$p.value)
put("rate_ratio", "interval", rates$conf.int)
p <- c(0.01, 0.04, 0.03, 0.005, 0.5, 0.04); put("adjust", "holm", p.adjust(p, "holm")); put("adjust", "bh", p.adjust(p, "BH"))

# --- rates, by their formulas in R's distributions ------------------------------------------------------------------------------------------
strata <- data.frame(events = c(3, 0, 12, 25), time = c(1000, 800, 1500, 900), standard = c(30, 25, 25, 20))
weight <- strata$standard / sum(strata$standard) / strata$time; rate <- sum(weight * strata$events); variance <- sum(weight^2 * strata$events)
put("direct", "rate", rate); widest <- max(weight); mean_above <- rate + widest; variance_above <- variance + widest^2
put("direct", "gamma", c(qgamma(0.025, rate^2 / variance, scale = variance / rate),
                         qgamma(0.975, mean_above^2 / variance_above, scale = variance_above / mean_above)))
byar <- function(x, z) c(x * (1 - 1 / (9 * x) - z / (3 * sqrt(x)))^3, (x + 1) * (1 - 1 / (9 * (x + 1)) + z / (3 * sqrt(x + 1)))^3)
all_events <- sum(strata$events); put("direct", "dobson", rate + sqrt(variance / all_events) * (byar(all_events, qnorm(0.975)) - all_events))
for (n in c(1, 5, 40, 1000)) for (p in c(0.025, 0.999)) {
  count <- qbinom(p, n, 0.12); reached <- pbinom(count, n, 0.12)
  put(paste0("funnel", n), paste0("at", p), (count - (reached - p) / dbinom(count, n, 0.12)) / n)
}
put("effects", "odds", exp(log(10 * 40 / (20 * 15)) + c(0, -1, 1) * qnorm(0.975) * sqrt(1 / 10 + 1 / 20 + 1 / 15 + 1 / 40)))
put("effects", "risk", exp(log((10 / 30) / (15 / 55)) + c(0, -1, 1) * qnorm(0.975) * sqrt(1 / 10 - 1 / 30 + 1 / 15 - 1 / 55)))

# --- models of people -----------------------------------------------------------------------------------------------------------------
put_model <- function(case, fit) { put(case, "beta", coef(fit), FALSE); put(case, "se", sqrt(diag(vcov(fit))), FALSE) }
least <- lm(y ~ x + factor(category) * two, people); put_model("linear", least)
put("linear", "sigma", summary(least)$sigma); put("linear", "r2_", summary(least)$r.squared); put("linear", "adjusted", summary(least)$adj.r.squared)
put("linear", "f", summary(least)$fstatistic[1]); put("linear", "interval", confint(least)["x", ])
logit <- glm(event ~ x + two + factor(group), binomial, people, control = list(epsilon = 1e-14)); put_model("logistic", logit)
put("logistic", "deviance", logit$deviance); put("logistic", "null", logit$null.deviance)
design <- model.matrix(logit); share <- mean(logit$y); u <- crossprod(design, logit$y - share)
put("logistic", "score", drop(t(u) %*% solve(crossprod(design) * share * (1 - share), u)))
curve <- roc(people$event, people$y, quiet = TRUE, direction = "<"); put("roc", "area", curve$auc); put("roc", "interval", ci.auc(curve))
put("roc", "variance", var(curve)); ties <- roc(people$event, people$tied, quiet = TRUE, direction = "<")
put("roc_ties", "area", ties$auc); put("roc_ties", "interval", ci.auc(ties))
both <- people[!is.na(people$tied), ]
put("roc_two", "z", roc.test(roc(both$event, both$y, quiet = TRUE, direction = "<"), roc(both$event, both$tied, quiet = TRUE, direction = "<"))$statistic)
best <- coords(curve, "best", best.method = "youden", ret = c("threshold", "sensitivity", "specificity"), transpose = FALSE)
put("roc", "youden", best[1, c("sensitivity", "specificity")])

# --- follow-up ------------------------------------------------------------------------------------------------------------------------
set.seed(20260202)
n <- 240
follow <- data.frame(age = round(rnorm(n, 60, 11), 1), sex = sample(0:1, n, TRUE), arm = sample(0:2, n, TRUE), site = sample(0:3, n, TRUE))
hazard <- 0.02 * exp(0.03 * (follow$age - 60) + 0.5 * follow$sex - 0.3 * (follow$arm == 2))
ends <- rexp(n, hazard); censor <- runif(n, 5, 90); follow$entry <- round(runif(n, 0, 6), 2)
follow$time <- pmax(1, ceiling(pmin(ends, censor))) + 6; follow$status <- as.numeric(ends <= censor)
follow$cause <- ifelse(follow$status == 1, sample(1:2, n, TRUE, c(0.6, 0.4)), 0)
follow$exact <- round(pmin(ends, censor) + 6 + seq_len(n) * 1e-5, 5)
follow$age[c(5, 77)] <- NA
save_data("follow", follow)

curve_of <- function(case, fit) {
  put(case, "surv", fit$surv); put(case, "low", fit$lower); put(case, "high", fit$upper); put(case, "risk", fit$n.risk)
}
for (type in c("plain", "log", "log-log")) {
  fit <- survfit(Surv(time, status) ~ 1, follow, conf.type = type); curve_of(paste0("km_", type), fit)
  q <- quantile(fit, c(0.25, 0.5, 0.75)); put(paste0("km_", type), "quantile", unlist(lapply(q, as.numeric)))
}
curve_of("km_entry", survfit(Surv(entry, time, status) ~ 1, follow, conf.type = "log-log"))
small <- data.frame(time = c(1, 1, 2, 3, 3, 4), status = c(1, 0, 1, 1, 1, 1))
curve_of("km_small", survfit(Surv(time, status) ~ 1, small, conf.type = "log-log"))
fit <- survfit(Surv(time, status) ~ 1, follow); put("rmean", "at60_", summary(fit, rmean = 60)$table[c("rmean", "se(rmean)")])
hazards <- survfit(Surv(time, status) ~ 1, follow, stype = 2, ctype = 1); put("nelson", "hazard", hazards$cumhaz); put("nelson", "se", hazards$std.chaz)

by_sex <- survfit(Surv(time, status) ~ sex, follow); means <- summary(by_sex, rmean = 60)$table[, c("rmean", "se(rmean)")]
put("rmean_two", "difference", means[1, 1] - means[2, 1]); put("rmean_two", "se", sqrt(sum(means[, 2]^2)))
test_of_groups <- function(case, t) {
  put(case, "chisq", t$chisq); put(case, "observed", if (is.matrix(t$obs)) rowSums(t$obs) else t$obs)
  put(case, "expected", if (is.matrix(t$exp)) rowSums(t$exp) else t$exp)
}
test_of_groups("log_rank", survdiff(Surv(time, status) ~ arm, follow))
test_of_groups("log_rank_two", survdiff(Surv(time, status) ~ sex, follow))
test_of_groups("log_rank_strata", survdiff(Surv(time, status) ~ arm + strata(site), follow))
# Weighted tests by their definition, since survival has only the family of Harrington and Fleming.
weighted <- function(time, status, group, weight) {
  groups <- sort(unique(group)); u <- numeric(length(groups)); v <- matrix(0, length(groups), length(groups))
  for (t in sort(unique(time[status == 1]))) {
    risk <- sapply(groups, function(g) sum(time >= t & group == g)); dead <- sapply(groups, function(g) sum(time == t & status == 1 & group == g))
    N <- sum(risk); D <- sum(dead); w <- weight(N); u <- u + w * (dead - D * risk / N)
    if (N > 1) v <- v + w^2 * D * (N - D) / (N - 1) * (diag(risk / N) - outer(risk, risk) / N^2)
  }
  list(u = u, v = v, chisq = drop(u[-1] %*% solve(v[-1, -1]) %*% u[-1]))
}
put("gehan", "chisq", weighted(follow$time, follow$status, follow$arm, function(n) n)$chisq)
put("tarone", "chisq", weighted(follow$time, follow$status, follow$arm, sqrt)$chisq)
w <- weighted(follow$time, follow$status, follow$arm, function(n) 1); s <- c(0, 1, 3)
put("log_rank_trend", "chisq", sum(s * w$u)^2 / drop(s %*% w$v %*% s))

put_cox <- function(case, fit) {
  put_model(case, fit); put(case, "loglik", fit$loglik); put(case, "score", fit$score); put(case, "wald", fit$wald.test)
  put(case, "concordance", concordance(fit)$concordance)
  put(case, "concordance_variance", concordance(fit)$var)
}
tight <- coxph.control(eps = 1e-14, iter.max = 50)
put_cox("cox", coxph(Surv(time, status) ~ age + sex + factor(arm), follow, control = tight))
put_cox("cox_breslow", coxph(Surv(time, status) ~ age + sex + factor(arm), follow, ties = "breslow", control = tight))
put_cox("cox_strata", coxph(Surv(time, status) ~ age * sex + strata(site), follow, control = tight))
put_cox("cox_entry", coxph(Surv(entry, time, status) ~ age + sex, follow, control = tight))
put_cox("cox_exact", coxph(Surv(exact, status) ~ sex, follow, control = tight))
for (transform in c("km", "rank", "identity", "log")) {
  z <- cox.zph(coxph(Surv(time, status) ~ age + sex + factor(arm), follow, control = tight), transform)
  put(paste0("zph_", transform), "chisq", z$table[, "chisq"]); put(paste0("zph_", transform), "p", z$table[, "p"])
}
z <- cox.zph(coxph(Surv(time, status) ~ age + sex + strata(site), follow, ties = "breslow", control = tight)); put("zph_strata", "chisq", z$table[, "chisq"])

incidence <- cuminc(follow$time, follow$cause, follow$arm); put("gray", "statistic", incidence$Tests[, "stat"]); put("gray", "p", incidence$Tests[, "pv"])
put("gray_two", "statistic", cuminc(follow$time, follow$cause, follow$sex)$Tests[, "stat"])
single <- timepoints(cuminc(follow$time, follow$cause), c(10, 20, 40, 60)); put("incidence", "est1_", single$est[1, ]); put("incidence", "var1_", single$var[1, ])
put("incidence", "est2_", single$est[2, ]); put("incidence", "var2_", single$var[2, ])

# --- many small sets: ties, times of zero, empty groups, everybody censored. NA where R has no answer either. --------------------------------
set.seed(20260303)
tiny <- do.call(rbind, lapply(1:120, function(set) {
  size <- sample(1:14, 1)
  data.frame(set, time = sample(0:6, size, TRUE), event = rbinom(size, 1, sample(c(0, 0.3, 0.6, 1), 1)), group = sample(0:2, size, TRUE),
             two = sample(0:1, size, TRUE), x = sample(c(0:3, 2.5), size, TRUE))
}))
save_data("tiny", tiny)
answer <- function(code) tryCatch(suppressWarnings({ value <- as.numeric(code); if (all(is.finite(value))) value else NA }), error = function(e) NA)
for (set in split(tiny, tiny$set)) {
  case <- paste0("tiny", set$set[1])
  fit <- survfit(Surv(time, event) ~ 1, set, conf.type = "log-log"); put(case, "surv", fit$surv, FALSE); put(case, "low", fit$lower, FALSE)
  put(case, "median", quantile(fit, 0.5)$quantile)
  # survdiff says 0 of no events, of one group and without any variance, lm tests what is nothing but rounding, and chisq.test of a single row tests that its cells are equal.
  put(case, "log_rank", if (any(set$event == 1) && length(unique(set$group)) > 1) answer({
    test <- survdiff(Surv(time, event) ~ group, set); if (sum(diag(as.matrix(test$var))) > 1e-12) test$chisq else NA }) else NA)
  cox <- tryCatch(coxph(Surv(time, event) ~ x + two, set, control = tight), error = function(e) NULL, warning = function(w) NULL)
  put(case, "cox", if (is.null(cox)) c(NA, NA) else c(coef(cox)[1], cox$loglik[2]))
  put(case, "welch", answer(t.test(x ~ two, set)$p.value)); put(case, "student", answer(t.test(x ~ two, set, var.equal = TRUE)$p.value))
  put(case, "mann", answer(wilcox.test(x ~ two, set)$p.value)); put(case, "kruskal", answer(kruskal.test(x ~ group, set)$p.value))
  put(case, "anova", answer({ f <- anova(lm(x ~ factor(group), set)); if (f[2, 3] > 1e-20) f[1, 5] else NA }))
  put(case, "signed", answer(wilcox.test(set$x, set$time, paired = TRUE)$p.value)); put(case, "pearson", answer(cor.test(set$x, set$time)$p.value))
  put(case, "fisher", answer(fisher.test(table(set$group, set$time))$p.value))
  put(case, "chi", if (all(dim(table(set$group, set$time)) > 1)) answer(chisq.test(table(set$group, set$time))$p.value) else NA)
}

# --- many rows, by arithmetic that both languages do exactly ----------------------------------------------------------------------------
many <- function(n) {
  i <- seq_len(n) - 1
  data.frame(time = (i * 7919) %% 9973 %/% 7 + 1, status = as.numeric((i * 31) %% 11 < 4), x = (i * 104729) %% 1009 / 10, z = (i * 13) %% 5,
             group = (i * 3) %% 4 %/% 2 + as.numeric((i * 17) %% 29 < 5))
}
for (size in c(10, 1000, 100000)) {
  data <- many(size); case <- paste0("many", format(size, scientific = FALSE))
  if (size > 10) put_cox(case, coxph(Surv(time, status) ~ x + z, data, control = tight))
  put(case, "log_rank", survdiff(Surv(time, status) ~ group, data)$chisq)
  put(case, "surv", tail(survfit(Surv(time, status) ~ 1, data)$surv, 1)); put(case, "sd", sd(data$x))
  put(case, "kruskal", kruskal.test(x ~ group, data)$statistic); put(case, "welch_p", t.test(x ~ status, data)$p.value)
  put(case, "mann", suppressWarnings(wilcox.test(x ~ status, data, exact = FALSE)$p.value)); put(case, "spearman", cor(data$x, data$time, method = "spearman"))
}
writeLines(lines, "results.csv")
