//! The engine as a whole: real PostgreSQL, a real Redis of the test's own, the real binary, and a mail server that speaks
//! SMTP by a script.

mod cancelling;
mod faults_crash;
mod faults_mail;
mod faults_redis;
mod hostile;
mod mailing;
mod outcome;
mod printing;
mod running;
mod shipped;
mod state_machine;
mod world;
