# Funkcije koje računaju kao Regix: kvartili tipa 7, Velčov test, hi-kvadrat bez korekcije (Fišerov gde se očekuje manje od 5),
# preživljavanje sa intervalom log-log, Koksova regresija po Efronu.

broj <- function(ime, x) cat(ime, "\t", paste(format(x, digits = 12, trim = TRUE), collapse = "\t"), "\n", sep = "")

opisi <- function(x) {
  x <- x[!is.na(x)]
  if (is.numeric(x)) {
    broj("  n, srednja vrednost, SD", c(length(x), mean(x), sd(x)))
    broj("  medijana, Q1, Q3", quantile(x, c(0.5, 0.25, 0.75), type = 7))
  } else {
    for (ime in names(table(x))) broj(paste0("  ", ime, ", n i %"), c(sum(x == ime), 100 * mean(x == ime)))
  }
}

test_grupa <- function(x, grupe, medijana) {
  ima <- !is.na(x) & !is.na(grupe)
  x <- x[ima]
  grupe <- factor(grupe[ima])
  if (nlevels(grupe) < 2) return(cat("  p nije računato: jedna grupa\n"))
  if (!is.numeric(x)) {
    tabela <- table(x, grupe)
    if (nrow(tabela) < 2) return(cat("  p nije računato: jedna kategorija\n"))
    ocekivano <- outer(rowSums(tabela), colSums(tabela)) / sum(tabela)
    if (any(ocekivano < 5)) broj("  p (Fišer)", fisher.test(tabela, workspace = 2e7)$p.value)
    else broj("  p (hi-kvadrat)", chisq.test(tabela, correct = FALSE)$p.value)
  } else if (medijana) {
    if (nlevels(grupe) == 2) {
      egzaktan <- max(table(grupe)) < 50 && !anyDuplicated(x)
      broj("  p (Man-Vitni)", suppressWarnings(wilcox.test(x ~ grupe, exact = egzaktan)$p.value))
    } else broj("  p (Kraskal-Volis)", kruskal.test(x, grupe)$p.value)
  } else broj("  p (Velč)", tryCatch(oneway.test(x ~ grupe)$p.value, error = function(greska) NA))
}

tabela1 <- function(podaci, promenljive, po, medijane, oznake) {
  for (ime in promenljive) {
    x <- podaci[[ime]]
    cat("\n", oznake[[ime]], ", nedostaje ", sum(is.na(x)), "\n", sep = "")
    opisi(x)
    if (!is.null(po)) {
      for (grupa in sort(unique(as.character(po)))) {
        cat(" grupa", grupa, "\n")
        opisi(x[!is.na(po) & po == grupa])
      }
      test_grupa(x, po, ime %in% medijane)
    }
  }
}

parovi <- function(prvo, drugo, medijana) {
  ima <- !is.na(prvo) & !is.na(drugo)
  if (medijana) broj("p (Vilkokson)", suppressWarnings(wilcox.test(prvo[ima], drugo[ima], paired = TRUE)$p.value))
  else {
    t <- t.test(prvo[ima], drugo[ima], paired = TRUE)
    broj("razlika, od, do, p", c(t$estimate, t$conf.int, t$p.value))
  }
}

prezivljavanje <- function(podaci, po, vremena, do_vremena = NULL) {
  podaci$po_ <- if (is.null(po)) factor(rep("svi", nrow(podaci))) else factor(po)
  podaci <- podaci[!is.na(podaci$vreme) & !is.na(podaci$dogadjaj) & !is.na(podaci$po_), ]
  rmst <- NULL
  for (grupa in levels(droplevels(podaci$po_))) {
    kriva <- survival::survfit(survival::Surv(vreme, dogadjaj) ~ 1, data = podaci[podaci$po_ == grupa, ], conf.type = "log-log")
    broj(paste0(grupa, ": n, događaja, medijana, od, do"), summary(kriva)$table[c("records", "events", "median", "0.95LCL", "0.95UCL")])
    for (t in vremena) {
      u <- summary(kriva, times = t, extend = TRUE)
      broj(paste0(grupa, ": S(", t, "), od, do, pod rizikom"), c(u$surv, u$lower, u$upper, u$n.risk))
    }
    if (!is.null(do_vremena) && do_vremena > max(kriva$time) && min(kriva$surv) > 0) {
      cat(grupa, ": RMST nije računato, praćenje se ranije završava\n", sep = "")
    } else if (!is.null(do_vremena)) {
      u <- if (do_vremena < min(kriva$time)) c(rmean = do_vremena, "se(rmean)" = 0) else summary(kriva, rmean = do_vremena)$table
      sredina <- u[grep("^[*]?rmean$", names(u))]
      greska <- u[grep("^[*]?se[(]rmean[)]$", names(u))]
      broj(paste0(grupa, ": RMST(", do_vremena, "), SE, od, do"), c(sredina, greska, sredina + c(-1, 1) * qnorm(0.975) * greska))
      rmst <- rbind(rmst, data.frame(grupa = grupa, sredina = unname(sredina), greska = unname(greska)))
    }
  }
  for (i in seq_len(NROW(rmst))[-1]) {
    razlika <- rmst$sredina[1] - rmst$sredina[i]
    greska <- sqrt(rmst$greska[1]^2 + rmst$greska[i]^2)
    broj(paste0("RMST ", rmst$grupa[1], " - ", rmst$grupa[i], ", SE, p"), c(razlika, greska, 2 * pnorm(-abs(razlika / greska))))
  }
  if (nlevels(droplevels(podaci$po_)) > 1) {
    razlika <- survival::survdiff(survival::Surv(vreme, dogadjaj) ~ po_, data = podaci)
    broj("log-rang, p", c(razlika$chisq, pchisq(razlika$chisq, length(razlika$n) - 1, lower.tail = FALSE)))
  }
}

# Grejov test (Gray 1988, rho = 0) jednog uzroka po grupama; isto daje cmprsk::cuminc.
grej <- function(vreme, uzrok, grupe, koji) {
  g <- as.integer(factor(grupe))
  k <- max(g)
  broj_po <- function(izbor) tabulate(g[izbor], k)
  vezani <- function(d, r) ifelse(d > 1, 1 - (d - 1) / (r - 1), 1)
  pod_rizikom <- broj_po(TRUE)
  S <- rep(1, k)
  F <- skor <- sopstvena <- rep(0, k)
  C <- mesano <- V <- matrix(0, k, k)
  zajedno <- 0
  dodaj <- function(i, deo, masa, pomeraj) {
    sopstvena[i] <<- sopstvena[i] + deo^2 * masa
    mesano[, i] <<- mesano[, i] + pomeraj * deo * masa
    V <<- V + outer(pomeraj, pomeraj) * masa
  }
  for (t in sort(unique(vreme))) {
    sada <- vreme == t
    d <- broj_po(sada & uzrok == koji)
    ostali <- broj_po(sada & uzrok != koji & uzrok != 0)
    if (any(d + ostali > 0)) {
      ima <- pod_rizikom > 0
      S_posle <- ifelse(ima, S * (pod_rizikom - d - ostali) / pod_rizikom, S)
      deo_grupe <- ifelse(ima, pod_rizikom / S, 0)
      tezina <- sum(deo_grupe)
      slobodni <- sum((deo_grupe * (1 - F))[ima])
      novo <- zajedno + sum(d) / tezina
      A <- diag(deo_grupe, k) - outer(deo_grupe, deo_grupe) / tezina
      C <- C + A * sum(d) / (tezina * (1 - zajedno))
      if (sum(d) > 0) {
        skor <- skor + ifelse(ima, d - sum(d) * deo_grupe * (1 - F) / slobodni, 0)
        for (i in which(ima)) {
          deo <- if (S_posle[i] > 0) 1 - (1 - novo) / S_posle[i] else 1
          dodaj(i, deo, vezani(sum(d), tezina * S[i]) * S[i] * sum(d) / (tezina * pod_rizikom[i]), A[, i] - deo * C[, i])
        }
      }
      for (i in which(ima & ostali > 0 & S_posle > 0)) {
        deo <- (1 - novo) / S_posle[i]
        dodaj(i, -deo, vezani(ostali[i], pod_rizikom[i]) * (S[i] / pod_rizikom[i])^2 * ostali[i], deo * C[, i])
      }
      F <- ifelse(ima, F + S * d / pod_rizikom, F)
      S <- ifelse(ima, S_posle, S)
      zajedno <- novo
    }
    pod_rizikom <- pod_rizikom - broj_po(sada)
  }
  V <- V + C %*% diag(sopstvena, k) %*% t(C) + C %*% t(mesano) + mesano %*% t(C)
  slobodne <- seq_len(k - 1)
  hi <- sum(skor[slobodne] * solve(V[slobodne, slobodne, drop = FALSE], skor[slobodne]))
  c(hi, pchisq(hi, k - 1, lower.tail = FALSE))
}

# Kumulativna incidencija po Olenu i Johansenu, grupe po Greju.
incidencija <- function(podaci, po, vremena) {
  podaci$po_ <- if (is.null(po)) factor(rep("svi", nrow(podaci))) else factor(po)
  podaci$uzrok <- ifelse(podaci$dogadjaj, 1, ifelse(podaci$konkurentni, 2, 0))
  podaci <- podaci[!is.na(podaci$vreme) & !is.na(podaci$uzrok) & !is.na(podaci$po_), ]
  podaci$ishod <- factor(podaci$uzrok, levels = 0:2, labels = c("cenzurisan", "dogadjaj", "konkurentni"))
  for (grupa in levels(droplevels(podaci$po_))) {
    deo <- podaci[podaci$po_ == grupa, ]
    broj(paste0(grupa, ": n, događaja, konkurentskih"), c(nrow(deo), sum(deo$uzrok == 1), sum(deo$uzrok == 2)))
    kriva <- survival::survfit(survival::Surv(vreme, ishod) ~ 1, data = deo)
    for (t in vremena) {
      u <- summary(kriva, times = t, extend = TRUE)
      broj(paste0(grupa, ": F(", t, ") događaja i konkurentskog"), u$pstate[1, match(c("dogadjaj", "konkurentni"), kriva$states)])
    }
  }
  if (nlevels(droplevels(podaci$po_)) > 1) {
    for (uzrok in 1:2) {
      test <- tryCatch(grej(podaci$vreme, podaci$uzrok, droplevels(podaci$po_), uzrok), error = function(greska) NULL)
      if (is.null(test) || anyNA(test)) cat("Grejov test nije računat, uzrok", uzrok, "\n")
      else broj(paste0("Grejov test, uzrok ", uzrok, ", p"), test)
    }
  }
}

# Prediktor sa jednom vrednošću ne daje model: kaže se, a skripta ide dalje.
jednolik <- function(formula, podaci) {
  imena <- all.vars(formula[[3]])
  potpuni <- na.omit(podaci[all.vars(formula)])
  jednaki <- Filter(function(ime) length(unique(potpuni[[ime]])) < 2, imena)
  if (length(jednaki) > 0) cat("Model nije izračunat, prediktor ima jednu vrednost:", paste(jednaki, collapse = ", "), "\n")
  length(jednaki) > 0
}

koks <- function(formula, podaci) {
  if (jednolik(formula, podaci)) return(invisible())
  model <- survival::coxph(formula, data = podaci, ties = "efron")
  u <- summary(model)
  for (ime in rownames(u$coefficients)) broj(paste0(ime, ": HR, od, do, p"), c(u$conf.int[ime, c(1, 3, 4)], u$coefficients[ime, 5]))
  broj("n, događaja, C", c(u$n, u$nevent, u$concordance[1]))
}

logisticka <- function(formula, podaci) {
  if (jednolik(formula, podaci)) return(invisible())
  model <- glm(formula, data = podaci, family = binomial)
  u <- summary(model)$coefficients
  for (ime in rownames(u)) broj(paste0(ime, ": OR, od, do, p"), c(exp(u[ime, 1] + c(0, -1, 1) * qnorm(0.975) * u[ime, 2]), u[ime, 4]))
}

linearna <- function(formula, podaci) {
  if (jednolik(formula, podaci)) return(invisible())
  model <- lm(formula, data = podaci)
  u <- summary(model)$coefficients
  for (ime in rownames(u)) broj(paste0(ime, ": koeficijent, od, do, p"), c(u[ime, 1], confint(model)[ime, ], u[ime, 4]))
}

tacnost <- function(podaci, promenljive, oznake, granice = c()) {
  for (ime in promenljive) {
    ima <- !is.na(podaci[[ime]]) & !is.na(podaci$dogadjaj)
    x <- podaci[[ime]][ima]
    ishod <- as.logical(podaci$dogadjaj[ima])
    if (is.logical(x)) {
      broj(paste0(oznake[[ime]], ": osetljivost, specifičnost"), c(mean(x[ishod]), mean(!x[!ishod])))
    } else {
      rang <- rank(x)
      povrsina <- (sum(rang[ishod]) - sum(ishod) * (sum(ishod) + 1) / 2) / (sum(ishod) * sum(!ishod))
      broj(paste0(oznake[[ime]], ": površina ispod ROC"), povrsina)
      for (granica in if (length(granice) > 0) granice else sort(unique(x))) {
        p <- x >= granica
        broj(paste0(oznake[[ime]], ", granica ", granica, ": osetljivost, specifičnost, PPV, NPV, J"),
          c(mean(p[ishod]), mean(!p[!ishod]), mean(ishod[p]), mean(!ishod[!p]), mean(p[ishod]) + mean(!p[!ishod]) - 1))
      }
    }
  }
}

stope <- function(podaci, po, na) {
  po <- if (is.null(po)) rep("svi", nrow(podaci)) else as.character(po)
  ima <- !is.na(podaci$vreme) & !is.na(podaci$dogadjaj) & !is.na(po)
  for (grupa in sort(unique(po[ima]))) {
    u <- ima & po == grupa
    test <- poisson.test(sum(podaci$dogadjaj[u]), sum(podaci$vreme[u]))
    broj(paste0(grupa, ": događaja, vreme, stopa, od, do"), c(sum(podaci$dogadjaj[u]), sum(podaci$vreme[u]), na * c(test$estimate, test$conf.int)))
  }
}

raspodela <- function(podaci, promenljive, po, oznake) {
  tabela1(podaci, promenljive, NULL, c(), oznake)
  for (ime in promenljive) {
    x <- podaci[[ime]]
    if (!is.numeric(x)) barplot(if (is.null(po)) table(x) else table(po, x), main = oznake[[ime]], beside = TRUE)
    else if (is.null(po)) hist(x, breaks = "FD", main = oznake[[ime]], xlab = "")
    else boxplot(x ~ po, main = oznake[[ime]], xlab = "", ylab = "")
  }
}
