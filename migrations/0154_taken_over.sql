-- Whoever took a patient over awaits her (functions/plan.sql): each refreshing of a plan looks for an accepted transfer.
create index patient_transfer_accepted on patient_transfer (pacijent_id) where status = 'prihvacen';

-- Plans of those who were taken over before: the scheduler refreshes what is not dated ahead.
update patient_plan pp set horizont = current_date
  from patient k
 where k.id = pp.pacijent_id and pp.prekid_dan is null and pp.ustanova_id <> k.ustanova_id
   and exists (select from patient_transfer t where t.pacijent_id = k.id and t.za_ustanovu_id = k.ustanova_id and t.status = 'prihvacen');
