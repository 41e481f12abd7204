# Makes ocekivano.csv anew: Rscript make.R, from this folder. Needs the packages survival and pROC.
# Each line is a text that the report of statistics over the Worcester Heart Attack Study shows, as R computes it.
suppressMessages({library(survival); library(pROC)})
whas <- read.csv("../../../../api/demo/whas500.csv")
whas$pol <- factor(ifelse(whas$gender == 1, "Ženski", "Muški"))
lines <- c("block;text")
put <- function(block, ...) lines <<- c(lines, paste0(block, ";", ...))
num <- function(x, digits) formatC(x, digits = digits, format = "f", big.mark = ".", decimal.mark = ",")
p <- function(x) if (x < 0.001) "< 0,001" else num(x, 3)
p_words <- function(x) if (x < 0.001) "p < 0,001" else paste("p =", num(x, 3))
range_of <- function(x, digits) paste0("[", num(x[1], digits), "; ", num(x[2], digits), "]")
share <- function(part, whole) paste0(part, " (", num(100 * part / whole, 1), " %)")

# Table 1 by sex
put("tableOne", num(mean(whas$age), 1), " (", num(sd(whas$age), 1), ")")
for (pol in levels(whas$pol)) {
  of <- whas[whas$pol == pol, ]
  put("tableOne", num(mean(of$age), 1), " (", num(sd(of$age), 1), ")")
  q <- quantile(of$bmi, c(0.5, 0.25, 0.75))
  put("tableOne", num(q[1], 1), " ", range_of(q[2:3], 1))
  put("tableOne", share(sum(of$sho == 1), nrow(of)))
  put("tableOne", share(sum(of$chf == 1), nrow(of)))
}
put("tableOne", p(t.test(age ~ pol, whas)$p.value))
put("tableOne", p(wilcox.test(bmi ~ pol, whas, exact = FALSE)$p.value))
put("tableOne", p(chisq.test(table(whas$chf, whas$pol), correct = FALSE)$p.value))
put("tableOne", p(chisq.test(table(whas$sho, whas$pol), correct = FALSE)$p.value))
# Welch's t-test
welch <- t.test(sysbp ~ pol, whas)
put("compare", "t(", num(welch$parameter, 2), ") = ", num(welch$statistic, 3))
put("compare", num(diff(rev(welch$estimate)), 2), " ", range_of(welch$conf.int, 2), " (95 % IP, Velčov t interval)")
# 2x2: shock and death in follow-up
square <- table(factor(whas$sho, 1:0), factor(whas$fstat, 1:0))
fisher <- fisher.test(square)
log_or <- log(square[1, 1] * square[2, 2] / square[1, 2] / square[2, 1]); se <- sqrt(sum(1 / square)); z <- qnorm(0.975)
put("twoByTwo", num(exp(log_or), 2), " ", range_of(exp(log_or + c(-z, z) * se), 2))
put("twoByTwo", p_words(fisher$p.value))
risk <- square[, 1] / rowSums(square)
log_rr <- log(risk[1] / risk[2]); se <- sqrt(sum(square[, 2] / square[, 1] / rowSums(square)))
put("twoByTwo", num(exp(log_rr), 2), " ", range_of(exp(log_rr + c(-z, z) * se), 2))
# survival
fit <- survfit(Surv(lenfol, fstat) ~ pol, whas, conf.type = "log-log")
table_of <- summary(fit)$table
year <- summary(fit, times = 365)
for (i in 1:2) {
  put("survival", num(year$surv[i], 3), " ", range_of(c(year$lower[i], year$upper[i]), 3))
  put("survival", as.integer(table_of[i, "events"]))
  if (all(!is.na(table_of[i, c("median", "0.95LCL", "0.95UCL")]))) {
    put("survival", num(table_of[i, "median"], 0), " ", range_of(table_of[i, c("0.95LCL", "0.95UCL")], 0))
  }
  put("survival", as.integer(year$n.risk[i]))
}
rank <- survdiff(Surv(lenfol, fstat) ~ pol, whas)
put("survival", "χ²(1) = ", num(rank$chisq, 3))
put("survival", p(1 - pchisq(rank$chisq, 1)))
put("survival", rank$obs[1], " / ", num(rank$exp[1], 2))
# restricted mean up to five years
means <- summary(fit, rmean = 1826)$table[, c("rmean", "se(rmean)")]
for (i in 1:2) put("rmst", num(means[i, 1], 1), " ", range_of(means[i, 1] + qnorm(c(0.025, 0.975)) * means[i, 2], 1))
difference <- means[1, 1] - means[2, 1]; se <- sqrt(sum(means[, 2]^2))
put("rmst", num(difference, 1), " ", range_of(difference + qnorm(c(0.025, 0.975)) * se, 1))
put("rmst", "z = ", num(difference / se, 3)); put("rmst", p_words(2 * pnorm(-abs(difference / se))))
# Cox with the interaction of Hosmer, Lemeshow and May, table 4.14: 2.32852 and -0.03043
cox <- coxph(Surv(lenfol, fstat) ~ gender * age, whas, ties = "breslow")
coefficients <- summary(cox)$coefficients; intervals <- summary(cox)$conf.int
for (row in rownames(coefficients)) {
  put("regression", num(coefficients[row, "coef"], 5))
  put("regression", num(coefficients[row, "se(coef)"], 5))
  put("regression", num(intervals[row, "exp(coef)"], 3))
  put("regression", range_of(intervals[row, c("lower .95", "upper .95")], 3))
  put("regression", p(coefficients[row, "Pr(>|z|)"]))
}
put("regression", num(cox$loglik[1], 4), " → ", num(cox$loglik[2], 4))
zph <- cox.zph(cox)$table["GLOBAL", ]
put("regression", "χ²(3) = ", num(zph["chisq"], 3), ", ", p_words(zph["p"]))
# logistic and linear
logistic <- glm(fstat ~ age + chf, binomial, whas)
for (value in coef(logistic)) put("logistic", num(value, 5))
lower <- lm(sysbp ~ age + hr, whas)
for (value in coef(lower)) put("linear", num(value, 5))
put("linear", num(summary(lower)$r.squared, 4), " (korigovano ", num(summary(lower)$adj.r.squared, 4), ")")
# ROC of age for death
curve <- roc(whas$fstat, whas$age, direction = "<", quiet = TRUE)
area <- as.numeric(ci.auc(curve))
put("roc", num(area[2], 3), " ", range_of(area[c(1, 3)], 3))
best <- coords(curve, "best", best.method = "youden", transpose = FALSE)[1, ]
put("roc", "≥ ", num(min(whas$age[whas$age > best$threshold]), 0))
# Youden's cut
test <- whas$age >= 72; died <- whas$fstat == 1
for (pair in list(c(sum(test & died), sum(died)), c(sum(!test & !died), sum(!died)), c(sum(test & died), sum(test)), c(sum(!test & !died), sum(!test)))) {
  put("cuts", num(pair[1] / pair[2], 3), " ", range_of(prop.test(pair[1], pair[2], correct = FALSE)$conf.int, 3))
}
put("cuts", num(mean(test[died]) + mean(!test[!died]) - 1, 3))
# rates
for (pol in levels(whas$pol)) {
  of <- whas[whas$pol == pol, ]
  rate <- poisson.test(sum(of$fstat), sum(of$lenfol))
  put("rate", num(rate$estimate * 1000, 3), " ", range_of(rate$conf.int * 1000, 3))
}
counts <- tapply(whas$fstat, whas$pol, sum); times <- tapply(whas$lenfol, whas$pol, sum)
ratio <- poisson.test(rev(as.numeric(counts)), rev(as.numeric(times)))
put("rate", num(ratio$estimate, 2), " ", range_of(ratio$conf.int, 2))
put("rate", p(ratio$p.value))
writeLines(lines, "ocekivano.csv", useBytes = TRUE)
