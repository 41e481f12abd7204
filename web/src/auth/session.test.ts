import { expect, it } from 'vitest';
import { lekar } from '../testing/fakeApi';
import { session } from './session';

it('the end of a session takes what this tab kept of searches, which names patients', () => {
  session.start(lekar);
  sessionStorage.setItem('regix.pretraga.2.1', '{"form":{"prezime":"Anić"}}');
  session.end();
  expect(Object.keys(sessionStorage)).toEqual([]);
});

it('a sign-out in another tab does so in this one', () => {
  session.start(lekar);
  sessionStorage.setItem('regix.pretraga.2.1', '{"form":{"prezime":"Anić"}}');
  localStorage.clear();
  window.dispatchEvent(new StorageEvent('storage'));
  expect(Object.keys(sessionStorage)).toEqual([]);
});
