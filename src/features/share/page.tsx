import { type AfterYes, SharedLink } from '../../web/parts/share.tsx'

/** The link of the page itself, the same for everybody. */
export function PageLink(page: AfterYes) {
  return <SharedLink {...page} origin={import.meta.env.VITE_SHARE} query="ref=share-" />
}
