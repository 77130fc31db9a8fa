/** Has links to the page in another language take the source along, which the link to this one may have named. */
export function keepSource(page: HTMLElement) {
  for (const link of page.querySelectorAll<HTMLAnchorElement>('.footer a[hreflang]'))
    link.onclick = () => {
      link.search = location.search
    }
}
