// Programs that a test may kill: a Chromium with its profile on disk, and an api or an engine of its own beside the stack's.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { type Browser, type BrowserContext, chromium } from '@playwright/test';
import { expect } from './patience';
import { BASE_URL, CHROMIUM, CHROMIUM_ARGUMENTS, PATIENCE } from './support';

const ROOT = resolve(import.meta.dirname, '../..');

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const end = once(child, 'exit');
  // The whole group: a browser is many processes.
  process.kill(-child.pid, 'SIGKILL');
  await end;
}

export interface KillableBrowser {
  context: BrowserContext;
  kill: () => Promise<void>;
}

/** The one window of a Chromium whose profile outlives it. */
export async function startBrowser(profile: string): Promise<KillableBrowser> {
  const portFile = join(profile, 'DevToolsActivePort');
  rmSync(portFile, { force: true });
  const child = spawn(
    CHROMIUM,
    [...CHROMIUM_ARGUMENTS, '--window-size=1440,900', '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'],
    { detached: true, stdio: 'ignore', env: { ...process.env, TZ: 'Europe/Belgrade', LANG: 'sr_RS.UTF-8' } },
  );
  let browser: Browser | undefined;
  // The file is there a moment after the browser.
  await expect(async () => {
    const port = readFileSync(portFile, 'utf8').split('\n')[0] ?? '';
    browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
    expect(browser.contexts().length).toBe(1);
  }).toPass({ timeout: 30_000 });
  const context = browser?.contexts()[0];
  if (!context) throw new Error('the browser has no window');
  context.setDefaultTimeout(PATIENCE);
  return { context, kill: () => killed(child) };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** The environment file of the stack that E2E_BASE_URL names, as `./dev` wrote it. */
function stack(program: 'api' | 'report-engine'): { env: string; program: string } {
  const port = new URL(BASE_URL).port;
  const run = join(ROOT, '.run');
  for (const name of readdirSync(run)) {
    const read = (file: string) => {
      try {
        return readFileSync(join(run, name, file), 'utf8');
      } catch {
        return '';
      }
    };
    if (!read('env').split('\n').includes(`PORT=${port}`)) continue;
    return { env: join(run, name, 'env'), program: join(ROOT, 'target', read('profile').trim() || 'debug', program) };
  }
  throw new Error(`no stack of ./dev listens on ${port}`);
}

export interface KillableApi {
  url: string;
  kill: () => Promise<void>;
  start: () => Promise<void>;
}

/** One more api on the stack's database. */
export async function startApi(): Promise<KillableApi> {
  const port = await freePort();
  const { env, program } = stack('api');
  let child: ChildProcess | undefined;
  const url = `http://127.0.0.1:${port}`;
  const start = async () => {
    child = spawn('bash', ['-c', 'set -a; . "$0"; set +a; PORT=$1 exec "$2" serve', env, String(port), program], {
      detached: true,
      stdio: 'ignore',
    });
    await expect
      .poll(
        () =>
          fetch(`${url}/api/application`)
            .then(({ status }) => status)
            .catch(() => 0),
        { timeout: 30_000 },
      )
      .toBe(200);
  };
  await start();
  return { url, start, kill: () => (child ? killed(child) : Promise.resolve()) };
}

/** Where an engine stops to be killed: `report-engine/src/failpoint.rs`. */
type Place = 'query' | 'render' | 'store' | 'commit' | 'recompute-patient' | 'recompute-between';

/** One more engine on the stack's database, with a run or a recomputation in its hands at the place where it shall be killed. */
export async function startEngine(place: Place): Promise<{ kill: () => Promise<void> }> {
  const { env, program } = stack('report-engine');
  const start = 'set -a; . "$0"; set +a; ENGINE_FAILPOINT=$1 ENGINE_CONCURRENCY=1 ENGINE_LEASE_SECONDS=3 exec "$2"';
  const child = spawn('bash', ['-c', start, env, place, program], { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  await expect.poll(() => said, { timeout: 60_000 }).toContain(`failpoint ${place} reached`);
  return { kill: () => killed(child) };
}
