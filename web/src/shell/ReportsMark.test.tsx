import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Link } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RunList } from '../reports/RunList';
import { fakeApi, lekar, show, signedIn, type FakeCall } from '../testing/fakeApi';
import { Right } from '../auth/rights';
import { ReportsMark } from './ReportsMark';
import { TopBar } from './TopBar';

const WAITING = 'GET /api/report-runs/attention';
const SEEN = 'POST /api/report-runs/seen';
let broj: number;
let calls: FakeCall[];

beforeEach(() => {
  broj = 2;
  calls = fakeApi({
    [WAITING]: () => ({ body: { broj } }),
    [SEEN]: () => {
      broj = 0;
      return { status: 204 };
    },
    'GET /api/report-runs': () => ({ body: { data: [], total: 0 } }),
  });
});

afterEach(() => vi.useRealTimers());

const asked = (call: string) => calls.filter(({ method, path }) => `${method} ${path}` === call).length;
const reader = { prava: [Right.Reports] };

it('stands at the reports of the menu, with its number and in words', async () => {
  signedIn(reader);
  show(<TopBar product="Regix" worker={{ ...lekar, ...reader }} />);
  const marked = await screen.findAllByText('(2 zakazana izveštaja nisu napravljena)');
  expect(marked.some((mark) => mark.closest('a')?.getAttribute('href') === '/izvestaji')).toBe(true);
  expect(marked[0]?.previousElementSibling).toHaveTextContent('2');
});

it('is not there where every report was made, nor asked for by who may not have reports', async () => {
  broj = 0;
  signedIn(reader);
  const { container, unmount } = show(<ReportsMark />);
  await waitFor(() => expect(asked(WAITING)).toBe(1));
  expect(container).not.toHaveTextContent(/\d/);
  unmount();
  broj = 2;
  signedIn({ prava: [] });
  show(
    <>
      <ReportsMark />
      <RunList report={null} pollEvery={0} shown={false} />
    </>,
  );
  await waitFor(() => expect(asked('GET /api/report-runs')).toBe(1));
  expect(asked(WAITING)).toBe(1);
});

it('comes while she works on other screens, asked again at most once a minute', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  broj = 0;
  signedIn(reader);
  show(
    <>
      <ReportsMark />
      <Link to="/pacijenti">Pacijenti</Link>
      <Link to="/registri">Registri</Link>
    </>,
  );
  await waitFor(() => expect(asked(WAITING)).toBe(1));
  broj = 1;
  await userEvent.click(screen.getByRole('link', { name: 'Pacijenti' }));
  expect(asked(WAITING), 'a moment later').toBe(1);
  vi.setSystemTime(Date.now() + 61_000);
  await userEvent.click(screen.getByRole('link', { name: 'Registri' }));
  expect(await screen.findByText('(1 zakazani izveštaj nije napravljen)')).toBeInTheDocument();
  expect(asked(WAITING)).toBe(2);
});

it('goes away when the list of runs is looked at, and stays while another tab is', async () => {
  signedIn(reader);
  const at = (shown: boolean) =>
    show(
      <>
        <ReportsMark />
        <RunList report={null} pollEvery={0} shown={shown} />
      </>,
    );
  const { unmount } = at(false);
  expect(await screen.findByText(/nisu napravljena/)).toBeInTheDocument();
  expect(asked(SEEN)).toBe(0);
  unmount();
  at(true);
  await waitFor(() => expect(asked(SEEN)).toBe(1));
  await waitFor(() => expect(screen.queryByText(/nisu napravljena/)).toBeNull());
});
