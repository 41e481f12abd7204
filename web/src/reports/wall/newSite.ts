// Whether the site that is served is newer than the page that stands here: nobody reloads a screen on a wall.

/** For which code the page was loaded anew: never twice for the same, should somebody between keep the old page. */
const RELOADED = 'regix.wall.reloaded';

/** The code with which a page begins; its name carries a hash of all of it. */
const codeOf = (page: ParentNode) =>
  [...page.querySelectorAll('script[type="module"][src]')].map((script) => script.getAttribute('src')).join(' ');

/** The code of the page that is served now, where it is another than this page's. */
async function newerCode(): Promise<string | null> {
  try {
    const response = await fetch('/', { cache: 'no-store', headers: { Accept: 'text/html' } });
    if (!response.ok) return null;
    const served = codeOf(new DOMParser().parseFromString(await response.text(), 'text/html'));
    return served !== '' && served !== codeOf(document) ? served : null;
  } catch {
    // Nobody answers: the next turn asks again.
    return null;
  }
}

export async function reloadIfNewer(): Promise<void> {
  const code = await newerCode();
  if (code === null || sessionStorage.getItem(RELOADED) === code) return;
  sessionStorage.setItem(RELOADED, code);
  window.location.reload();
}
