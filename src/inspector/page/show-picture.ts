import type { InspectorAnswer } from "../inspector-data.ts";
import { byId, element } from "./element.ts";

/** Shows how the pipeline's parts hang together. */
export function showPicture(svg: string): void {
  const drawn = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  const scroll = element("div.scroll", { tabindex: 0, role: "region", "aria-label": "Picture of the pipeline" });
  scroll.append(document.importNode(drawn, true));
  byId("picture").replaceChildren(element("h2", {}, "How it hangs together"), scroll);
}

/** Marks the parts that the last answer came through, with what they did. */
export function markParts({ parts }: InspectorAnswer): void {
  for (const group of document.querySelectorAll<SVGGElement>("#picture [data-part]")) {
    const told = parts[group.dataset["part"] ?? ""];
    group.classList.toggle("touched", told !== undefined);
    group.querySelector(".did")?.remove();
    const box = group.querySelector("rect");
    if (told === undefined || box === null) continue;
    const text = document.createElementNS("http://www.w3.org/2000/svg", "text");
    text.setAttribute("class", "detail did");
    text.setAttribute("x", String(Number(box.getAttribute("x")) + Number(box.getAttribute("width")) / 2));
    text.setAttribute("y", String(Number(box.getAttribute("y")) + Number(box.getAttribute("height")) + 12));
    text.textContent = told;
    group.append(text);
  }
}
