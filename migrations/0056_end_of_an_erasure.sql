-- When nobody reads any more what an erasure has taken away: after its transaction, whose end it cannot know itself.
alter table patient_erasure add column zavrseno_at timestamptz;
