/** What others do to a page in its browser or on its way there. Each runs in the page, alone. */
export const intruders = {
  'a password manager': () => {
    const add = (tag: string, attributes: Record<string, string>, put: (one: Element) => void) => {
      const one = document.createElement(tag)
      for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, value)
      one.dataset.intruder = ''
      put(one)
    }
    const find = (selector: string) => document.querySelector(selector) as HTMLElement
    const field = find('#email')
    add('com-1password-button', {}, (one) => field.after(one))
    add('div', { 'data-lastpass-icon-root': '' }, (one) => field.before(one))
    add('div', { class: 'np-icon' }, (one) => find('.subscribe-field').before(one))
    add('button', { type: 'button' }, (one) => find('.subscribe [type="submit"]').before(one))
    add('grammarly-extension', {}, (one) => find('.subscribe').prepend(one))
    add('i', {}, (one) => find('#status').append(one))
    add('span', {}, (one) => find('h1').before(one))
    add('form', {}, (one) => document.body.prepend(one))
    find('.subscribe [type="submit"]').append(document.createElement('b'))
    for (const one of [document.body, find('main'), field, find('.subscribe-row')]) {
      one.setAttribute('data-dashlane-rid', '1')
      one.classList.add('bw')
      one.style.outline = '1px solid'
    }
  },

  'a translator': () => {
    const isText = (node: Node) =>
      node.parentElement?.closest('script, style, noscript, font') === null &&
      /\p{L}|\d/u.test(node.nodeValue ?? '')
    const translate = (root: Node) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      const texts: Node[] = []
      while (walker.nextNode()) if (isText(walker.currentNode)) texts.push(walker.currentNode)
      for (const text of texts) {
        const [outer, inner] = [document.createElement('font'), document.createElement('font')]
        inner.textContent = String(text.nodeValue).toUpperCase()
        outer.append(inner)
        text.parentNode?.replaceChild(outer, text)
      }
    }
    translate(document.body)
    // And whatever comes later.
    new MutationObserver(() => translate(document.body)).observe(document.body, {
      childList: true,
      characterData: true,
      subtree: true,
    })
  },

  'a proxy that indents': () => {
    const indent = () => document.createTextNode('\n    ')
    for (const one of document.querySelectorAll('#root *')) {
      one.before(indent(), document.createComment(' indented '))
      one.after(indent())
    }
  },

  'one that wraps': () => {
    for (const one of document.querySelectorAll('#email, .subscribe-row, [type="submit"], h1')) {
      const wrapper = document.createElement('span')
      wrapper.dataset.intruder = ''
      one.parentElement?.insertBefore(wrapper, one)
      wrapper.moveBefore(one, null)
    }
  },

  'a blocker': () => {
    for (const one of document.querySelectorAll('.icon, .subscribe-row > .visually-hidden'))
      one.remove()
  },
}

/**
 * Elements that React holds a text of beside other nodes: wrapped by others, it would be lost to it. Runs
 * in the page, alone.
 */
export function mixedContent(): string[] {
  return [...document.querySelectorAll('main, main *')]
    .filter((one) => one.childNodes.length > 1)
    .filter((one) => [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE))
    .map((one) => one.outerHTML)
}
