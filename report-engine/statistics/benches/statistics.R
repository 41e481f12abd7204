# The same work as statistics.rs, in R; prints a name, a number of rows and the seconds of processor time. Needs the package survival.
suppressMessages(library(survival))
seconds <- function(name, n, code) { gc(FALSE); took <- system.time(code)[["user.self"]]; cat(name, n, took, "\n") }
for (n in as.integer(commandArgs(TRUE))) {
  set.seed(1)
  x <- matrix(rnorm(n * 10), n); group <- rbinom(n, 1, 0.5); ends <- rexp(n, 0.001 * exp(drop(x %*% rep(0.1, 10)) + 0.2 * group))
  time <- ceiling(pmin(ends, 2000)); event <- as.numeric(ends <= 2000)
  seconds("KM+log-rank", n, { survfit(Surv(time, event) ~ group, conf.type = "log-log"); survdiff(Surv(time, event) ~ group) })
  seconds("Cox", n, coxph(Surv(time, event) ~ x))
  numbers <- matrix(round(rnorm(n * 20, 100, 15), 1), n); categories <- matrix(sample(0:3, n * 10, TRUE), n)
  seconds("Table1", n, {
    for (j in 1:20) {
      tapply(numbers[, j], group, function(v) c(mean(v), sd(v), quantile(v, c(0.25, 0.5, 0.75)), range(v)))
      t.test(numbers[, j] ~ group); wilcox.test(numbers[, j] ~ group, exact = FALSE)
    }
    for (j in 1:10) { counts <- table(categories[, j], group); prop.table(counts, 2); chisq.test(counts) }
  })
}
