// Stands for primereact/hooks in the built site (vite.config.ts). Each of PrimeReact's components writes its stylesheet into the page when it
// appears, also when it stands there already; the browser then looks at the whole page anew, and the component is drawn once more. Those
// stylesheets are in gen/prime.css.
// @ts-expect-error The package types the folder, not this file of it.
export * from 'primereact/hooks/hooks.esm.js';

const inStylesheet = () => undefined;
const style = { id: undefined, name: '', isLoaded: true, load: inStylesheet, unload: inStylesheet, update: inStylesheet };

export const useStyle = () => style;
