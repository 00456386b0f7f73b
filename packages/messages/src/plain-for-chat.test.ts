import { expect, it } from "vitest";
import { cleanLine, clip, plainForChat } from "./plain-for-chat.ts";

it.each([
  ["Slack's mentions and links", "<!channel> <@U024BE7LH> <https://evil.example|pay here> &lt;!here&gt;"],
  [
    "Discord's mentions, spoilers and times",
    "@everyone <@&42> <#7> ||hidden|| <t:0:R> ~~gone~~ **loud** __under__ a__b__c",
  ],
  [
    "Mattermost's markup",
    "@all ~town-square [x](https://evil.example) ![](//evil.example/a.png) # head | a | b | $x$ `code` &#64;all",
  ],
  [
    "Telegram's commands, tags and names",
    "/start@bot /pay @ada #tag $USD t.me/evil https://evil.example www.evil.example",
  ],
  ["emoji, rules and lists", ":100: :smile: --- "],
  ["lists", "- one"],
  ["numbered lists", "1. one"],
])("nothing in a text is markup, a mention or a link: %s", (_what, text) => {
  const plain = plainForChat(text);
  expect(plain).not.toMatch(/[*~`<>@|[\]{}\\#$&]/);
  expect(plain).not.toMatch(/:\S|:\/\/|(^|\s)\/|\.\p{L}|(^|\W)_|_(\W|$)|__/u);
  expect(plain).not.toMatch(/^(?:[-+] |---|\d+\. )/);
});

it("ordinary references stay as they are", () => {
  for (const text of [
    "A-1043",
    "order_17/b",
    "Müller & Söhne".replace("&", "und"),
    "12.50 USDT",
    "Rechnung: 7",
    "سفارش ۱۲",
  ])
    expect(plainForChat(text)).toBe(text);
});

it("a text is one line without characters that hide or turn others, and keeps joined letters", () => {
  expect(cleanLine("a\r\nb\u2028c\u202egnp\u0000\u200bd\ud800")).toBe("a b c gnp d");
  expect(cleanLine("می\u200cروم 👩\u200d💻")).toBe("می\u200cروم 👩\u200d💻");
});

it("a long text is cut between characters", () => {
  expect(clip("abc", 3)).toBe("abc");
  expect(clip("abcd", 3)).toBe("ab…");
  expect(clip("a😀bc", 3)).toBe("a…");
});
