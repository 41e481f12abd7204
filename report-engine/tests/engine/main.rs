//! The engine as a whole: real PostgreSQL, a real Redis of the test's own, the real binary, and a mail server that speaks
//! SMTP by a script.

mod buckets;
mod cancelling;
mod designing;
mod exporting;
mod exporting_files;
mod exporting_items;
mod exporting_marks;
mod exporting_rows;
mod exporting_search;
mod failover;
mod fairness;
mod faults_crash;
mod faults_mail;
mod faults_redis;
mod few;
mod full_disk;
mod hostile;
mod logos;
mod looking;
mod mailing;
mod outage;
mod outcome;
mod poolers;
mod printing;
mod recomputing;
mod replica;
mod resting;
mod running;
mod settings;
mod shares;
mod shipped;
mod state_machine;
mod transport;
mod upgrading;
mod world;
