// Providers and routes.
import { addLocale, locale, PrimeReactProvider } from 'primereact/api';
import { createBrowserRouter, Navigate, RouterProvider, type RouteObject } from 'react-router';
import { SWRConfig } from 'swr';
import { swrOptions } from './api/hooks';
import { AutoLogin } from './auth/AutoLogin';
import { Guarded } from './auth/Guarded';
import { ConfirmPassword } from './auth/ConfirmPassword';
import { ExternalSignIn } from './auth/ExternalSignIn';
import { LANDING } from './auth/externalSignIn';
import { SignInAgain } from './auth/SignInAgain';
import serbian from './gen/sr-latn.json';
import { WALL } from './places';
import { screens } from './screens';
import { Shell } from './shell/Shell';
import { accessibility } from './ui/accessibility';
import { ConfirmProvider } from './ui/confirm';
import { NotFound } from './ui/NotFound';
import { styleContainer } from './ui/primeStyles';
import { ScreenError } from './ui/ScreenError';
import { ToastProvider } from './ui/toast';

addLocale('sr-Latn', serbian);
locale('sr-Latn');

export const routes: RouteObject[] = [
  { path: '/autologin', element: <AutoLogin /> },
  { path: LANDING, element: <ExternalSignIn /> },
  {
    path: WALL,
    errorElement: <ScreenError />,
    hydrateFallbackElement: <div />,
    lazy: async () => ({ Component: (await import('./reports/wall/WallScreen')).default }),
  },
  {
    element: <Shell />,
    errorElement: <ScreenError />,
    hydrateFallbackElement: <div />,
    children: [
      { path: '/', element: <Navigate to="/registri" replace /> },
      { path: '/login', element: <Navigate to="/registri" replace /> },
      ...screens.map(({ path, rights, clinical, load }) => ({
        path,
        errorElement: <ScreenError />,
        lazy: async () => {
          const { default: Screen } = await load();
          return {
            element: (
              <Guarded rights={rights} clinical={clinical}>
                <Screen />
              </Guarded>
            ),
          };
        },
      })),
      { path: '*', element: <NotFound /> },
    ],
  },
];

const router = createBrowserRouter(routes);
/** Somebody is about to sign in there, or to let another window go on: a screen that is locked asks in that window. */
const isLanding = window.location.pathname === LANDING;
/** Nobody signs in on a wall, whoever has a session in that browser. */
const asksNobody = isLanding || window.location.pathname === WALL;

export function App() {
  return (
    <PrimeReactProvider value={{ locale: 'sr-Latn', ripple: false, pt: accessibility, styleContainer }}>
      <SWRConfig value={swrOptions}>
        <ToastProvider>
          <ConfirmProvider>
            {/* A screen is drawn in one go: a long form that is drawn in pieces waits between them for whatever else the browser does. */}
            <RouterProvider router={router} useTransitions={false} />
            {!asksNobody && <ConfirmPassword />}
            {!asksNobody && <SignInAgain />}
          </ConfirmProvider>
        </ToastProvider>
      </SWRConfig>
    </PrimeReactProvider>
  );
}
