import { expect, it, vi } from 'vitest';
import { lekar } from '../testing/fakeApi';
import { session } from './session';

/** A server that answers when the test says so, with the theme it had when it was asked. */
function slowServer() {
  const waiting: (() => void)[] = [];
  const server = { theme: 'regix', asked: 0, answer: () => waiting.shift()?.() };
  const ask = () => {
    server.asked += 1;
    const said = { ...lekar, theme: server.theme };
    return new Promise<typeof lekar>((resolve) => waiting.push(() => resolve(said)));
  };
  return { server, ask };
}

it('what the server said before a change made here does not take it back: it is asked again', async () => {
  const { server, ask } = slowServer();
  session.start(lekar);
  const following = session.follow(ask);
  await vi.waitFor(() => expect(server.asked).toBe(1));
  session.update({ theme: 'darkly' });
  server.theme = 'darkly';
  server.answer();
  await vi.waitFor(() => expect(server.asked).toBe(2));
  expect(session.current()?.theme).toBe('darkly');
  server.answer();
  await following;
  expect(session.current()?.theme).toBe('darkly');
});

it('the server is not asked, and not believed, while a change made here is on its way to it', async () => {
  const { server, ask } = slowServer();
  session.start(lekar);
  const before = session.follow(ask);
  await vi.waitFor(() => expect(server.asked).toBe(1));
  let arrive = () => {};
  session.update({ theme: 'darkly' });
  const saved = session.saving(new Promise<void>((resolve) => (arrive = resolve)));
  const meanwhile = session.follow(ask);
  server.answer();
  await Promise.resolve();
  expect([server.asked, session.current()?.theme]).toEqual([1, 'darkly']);
  server.theme = 'darkly';
  arrive();
  await saved;
  await vi.waitFor(() => expect(server.asked).toBe(3));
  server.answer();
  server.answer();
  // One of the two is told of the other's change, and asks once more.
  await vi.waitFor(() => expect(server.asked).toBe(4));
  server.answer();
  await Promise.all([before, meanwhile]);
  expect(session.current()?.theme).toBe('darkly');
});

it('a record that is not touched meanwhile follows the server', async () => {
  session.start(lekar);
  await session.follow(() => Promise.resolve({ ...lekar, theme: 'flatly', prava: [1, 4] }));
  expect(session.current()).toMatchObject({ theme: 'flatly', prava: [1, 4], token: lekar.token });
});

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
