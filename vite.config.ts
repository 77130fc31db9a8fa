/** For `npm run dev`: the build passes the same to Vite itself. */
export { pageConfig as default } from './scripts/build/page-config.ts'
