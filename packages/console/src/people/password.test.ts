import { expect, it } from "vitest";
import { hashPassword } from "./password.ts";

const chosen = { email: "ada@shop.example", path: "password", peppers: ["pepper"] };

it.each([
  "password1234",
  "123456789012",
  "qwertyuiop12",
  "passwordpassword",
  "P@ssw0rd1234!",
  "Welcome2024!!",
  "iloveyou123456",
  "1qaz2wsx3edc4rfv",
  "abcdefghijklmnop",
  "0987654321098",
  "AdminAdmin2026",
  "Summer-Winter-1",
  "1q2w3e4r5t6y",
  "qazwsxedcrfv",
  "123qweasdzxc",
  "a1b2c3d4e5f6",
  "daricdaricdaric",
  "TronWallet-2026",
  "cryptocrypto12",
])("%s is refused: it is made of most used passwords", async (password) => {
  await expect(hashPassword(password, chosen)).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    details: [{ path: "password", rule: { name: "common" } }],
  });
});

it.each(["Welcome12345", "letmein123456", "changeme1234"])(
  "%s is refused though the mailbox is a part of it",
  async (password) => {
    await expect(hashPassword(password, { ...chosen, email: "me@shop.example" })).rejects.toMatchObject({
      details: [{ rule: { name: "common" } }],
    });
  },
);

it.each([
  "correct horse battery staple",
  "a long and quite unusual sentence",
  "Tr0ub4dor&3-kelp",
  "hunter2 sails past Ålesund",
])("%s is taken", async (password) => {
  await expect(hashPassword(password, chosen)).resolves.toMatchObject({ pepper: "pepper" });
});
