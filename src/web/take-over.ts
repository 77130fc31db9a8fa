import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { type HydrationOptions, hydrateRoot } from 'react-dom/client'

/**
 * Has React take over what was rendered at the build. React wants it as it was, to the node. Password
 * managers, translators and proxies may have added, wrapped and removed nodes by now, and React would
 * make everything anew: what was typed would be lost, with the focus and the selection.
 *
 * So it takes over a copy first, which it makes what it wants. The page is made like that for a moment,
 * and all that is foreign comes back to its place. The fields stay where they are, so nothing is lost.
 */
export function takeOver(container: Element, page: ReactNode) {
  const wanted = container.cloneNode(true) as Element
  const hydrate = (element: Element, options?: HydrationOptions) =>
    flushSync(() => hydrateRoot(element, page, options))
  const rehearsal = hydrate(wanted, { onRecoverableError() {} })
  const putBack = makeAlike(container, wanted)
  rehearsal.unmount()
  hydrate(container)
  for (const put of putBack) put()
}

/**
 * Makes the nodes beneath an element those that are wanted, without moving one of ours. An element has
 * either elements in it or a text: of several texts side by side, React would hold each node. Where others
 * put elements beside a text, React wants no more than the same text.
 *
 * @returns puts back, in this order, what was foreign.
 */
function makeAlike(parent: Element, wanted: Element): (() => void)[] {
  const nodes = [...parent.childNodes]
  if ([...wanted.childNodes].some(({ nodeType }) => nodeType === Node.TEXT_NODE)) {
    if (parent.textContent === wanted.textContent) return []
    parent.textContent = wanted.textContent
    return [() => parent.replaceChildren(...nodes)]
  }
  const putBack: (() => void)[] = []
  const own: Node[] = []
  for (const one of wanted.children) {
    const isOne = (node: Node): node is Element => isAlike(node, one) && !own.includes(node)
    const found =
      nodes.find(isOne) ?? unwrap(parent, [...parent.querySelectorAll(one.nodeName)].find(isOne))
    if (found) putBack.push(...makeAlike(found, one))
    own.push(found ?? one.cloneNode(true))
  }
  for (const node of nodes.filter((one) => !own.includes(one))) {
    const next = node.nextSibling
    putBack.unshift(() => parent.insertBefore(node, next?.parentNode === parent ? next : null))
    node.remove()
  }
  own.reduceRight<Node | null>((next, one) => {
    if (one.parentNode !== parent || one.nextSibling !== next) parent.insertBefore(one, next)
    return one
  }, null)
  return putBack
}

/** Takes an element out of what others wrapped it in: browsers of 2025 move it with its focus. */
function unwrap(parent: Element, one: Element | undefined): Element | undefined {
  const wrapper = [...parent.children].find((child) => child.contains(one as Element))
  if (one && wrapper) parent['moveBefore' in parent ? 'moveBefore' : 'insertBefore'](one, wrapper)
  return one
}

/**
 * Whether a node is ours, by what tells our elements apart. Others may add attributes and classes, and
 * change the type of a field.
 */
const isAlike = (node: Node, wanted: Element) =>
  node.nodeName === wanted.nodeName &&
  (wanted.id ? ['id'] : ['id', 'type']).every((name) =>
    [null, (node as Element).getAttribute(name)].includes(wanted.getAttribute(name)),
  ) &&
  [...wanted.classList].every((name) => (node as Element).classList.contains(name))
