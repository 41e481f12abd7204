-- Mere aktivnosti reumatoidnog artritisa po mesecima: zbirovi i brojevi vrednosti, iz kojih šablon računa proseke.
select date_trunc('month', b.datum_unosa)::date as mesec,
       count(distinct b.unos_id) as pregledi,
       count(distinct b.pacijent_id) as pacijenti,
       sum(b.vrednost) filter (where b.sifra = 'das28se')::numeric as zbir_das28se,
       count(*) filter (where b.sifra = 'das28se') as broj_das28se,
       sum(b.vrednost) filter (where b.sifra = 'das28crp')::numeric as zbir_das28crp,
       count(*) filter (where b.sifra = 'das28crp') as broj_das28crp,
       sum(b.vrednost) filter (where b.sifra = 'cdai')::numeric as zbir_cdai,
       count(*) filter (where b.sifra = 'cdai') as broj_cdai,
       sum(b.vrednost) filter (where b.sifra = 'sdai')::numeric as zbir_sdai,
       count(*) filter (where b.sifra = 'sdai') as broj_sdai,
       sum(b.vrednost) filter (where b.sifra = 'haq')::numeric as zbir_haq,
       count(*) filter (where b.sifra = 'haq') as broj_haq,
       -- Nad svim ustanovama: koje pacijente drži red, i čije su vrednosti u svakom zbiru.
       array_agg(distinct b.pacijent_id) as grupa_pacijenata,
       array_agg(distinct b.pacijent_id) filter (where b.sifra = 'das28se') as "grupa_pacijenata zbir_das28se broj_das28se",
       array_agg(distinct b.pacijent_id) filter (where b.sifra = 'das28crp') as "grupa_pacijenata zbir_das28crp broj_das28crp",
       array_agg(distinct b.pacijent_id) filter (where b.sifra = 'cdai') as "grupa_pacijenata zbir_cdai broj_cdai",
       array_agg(distinct b.pacijent_id) filter (where b.sifra = 'sdai') as "grupa_pacijenata zbir_sdai broj_sdai",
       array_agg(distinct b.pacijent_id) filter (where b.sifra = 'haq') as "grupa_pacijenata zbir_haq broj_haq"
  from report.broj b
  join report.tip_unosa t on t.id = b.tip_unosa_id
  join report.registar r on r.id = t.registar_id and r.sifra = 'reumatologija'
 where b.sifra in ('das28se', 'das28crp', 'cdai', 'sdai', 'haq')
   and b.datum_unosa >= coalesce(:od::date, '-infinity') and b.datum_unosa <= coalesce(:do::date, 'infinity')
   and (:ustanove::bigint[] is null or b.ustanova_id = any (:ustanove::bigint[]))
 group by 1
 order by 1
