"""Three more lists of questions, written from the notes alone and before any of them was asked: see answers.md.

The first are over the sample vault, each with what the first line must and must not hold, as in `_questions`. The
others are over folders of notes that are not here, a garden on computing and society and one kept in Chinese: each with
the name of the note that should stand first, and nothing for what is not in the notes, which has to be declined.
"""

from __future__ import annotations

from _questions import Question

_DECLINED = (r"Not in your notes|Nothing in your notes|Not as far as your notes tell|No note says it",)

LISTED = (
    Question("Who employs Priya Nair?", "People/Priya Nair.md:7", ("Laboratoire Rivelle",)),
    Question("Who took over the survey from Lukas Brandt?", "Meetings/Survey handover.md:12", ("Priya",)),
    Question("What instrument do I play?", "People/Nora Feldt.md:36", ("cello",)),
    Question("What is Mira's dog called?", "People/Mira.md:24", ("Pépin",)),
    Question("How big is Château Nord?", "Organizations/Château Nord.md:8", (r"\b31\b",), (r"18\.5",)),
    Question("What is the budget of the Wild Yeast Survey?", "Projects/Wild Yeast Survey.md:7", ("48,?000",)),
    Question("Who gave me Salt and Yeast?", "Books/Salt and Yeast.md:13", ("Sofia",), ("^Ravi",)),
    Question("Who is the boss of Priya?", "People/Priya Nair.md:15", ("Agnès Morel",)),
    Question("What did I do on 14 May 2024?", "Daily/2024-05-14.md:7", ("coffee",)),
    Question("When did I stop drinking coffee?", "Daily/2024-05-14.md:7", ("2024-05-14|14 May 2024",)),
    Question("When does the Cellar Atlas have to be finished?", "Projects/Cellar Atlas.md:6", ("2026-09-30",)),
    Question("Where do I sing?", "People/Nora Feldt.md:37", ("Chœur de la Rive",)),
    Question("Where did Robert Keane live in 2005?", "People/Robert Keane.md:5", ("Dublin",), ("lives in Cognac",)),
    Question("Where does Chen Wei live now?", "People/Chen Wei.md:10", ("Yinchuan",), ("Bordeaux",)),
    Question("How many children does Sofia have?", "People/Sofia Feldt.md:16", (r"\b1\b", "Elsa")),
    Question("How many cellars are drawn?", "Projects/Cellar Atlas.md:15", ("14|Fourteen",)),
    Question("How many employers has Lukas Brandt had?", "People/Lukas Brandt.md:10", (r"\b2\b",)),
    Question("What changed at Institut Garonne in 2025?", "Organizations/Institut Garonne.md:10", ("Marc Delmas",)),
    Question("What changed about Clara?", "People/Clara Duarte.md:8", ("Porto", "Atelier Ponte")),
    Question("Is Château Nord organic?", "Organizations/Château Nord.md:9", ("Not as far|^No",), ("^Yes",)),
    Question("Was Château Nord sold?", "Daily/2025-06-21.md:11", ("not sold|Not as far",), ("^Yes",)),
    Question("Is the Harbour Garden paused?", "Projects/Harbour Garden.md:6", ("^Yes", "paused")),
    Question("Who owns the café in Bordeaux?", "Places/Café Zénith.md:6", ("Élodie Marchand",)),
    Question("What is the role of my sister's husband?", "People/Lukas Falk.md:6", ("carpenter",)),
    Question("Who is the manager of Elizabeth Marsh?", "no note says so", _DECLINED, ("leads the",)),
    Question("Where was Priya born?", "no note says so", _DECLINED, ("Lyon",)),
    Question(
        "Did Halden Press publish the Cellar Atlas?", "Projects/Cellar Atlas.md:12: it will", _DECLINED, ("^Yes",)
    ),
    Question("Does Mira live in Portugal?", "Daily/2025-06-21.md:9: she might move", ("Not as far",), ("^Yes",)),
    Question("What is the salary of Marc Delmas?", "no note has it", _DECLINED),
    Question("Who is the wife of Marc Delmas?", "no note says so", _DECLINED),
)

GARDEN_LISTED = (
    ("What is the most people one can keep up social ties with?", "Dunbar's Number"),
    ("How many close friends can somebody have, by Dunbar?", "Dunbar's Number"),
    ("When does a measure cease to be a good one?", "Goodhart's Law"),
    ("Why should you not tear down a fence?", "Chesterton's Fence"),
    ("Who said that attention gets scarce when information is plenty?", "attention economy"),
    ("Which consensus algorithm was made to be understandable?", "Raft Consensus Algorithm"),
    ("How many bits does a node ID have in Kademlia?", "Kademlia DHT"),
    ("What are the four noble truths?", "Buddhism"),
    ("What does GLSL call the variables that change with each vertex?", "GLSL"),
    ("Who wrote Epistemic Injustice?", "epistemic injustice"),
    ("Which kinds of epistemic injustice are there?", "epistemic injustice"),
    ("What does a validator in proof of stake get for its work?", "proof of stake"),
    ("Who invented the name GOFAI?", "agi"),
    ("What is blooping?", "Antimatter"),
    ("How does Braid extend HTTP?", "Braid HTTP"),
    ("Who wrote the Root Verses on the Middle Way?", "Root Verses on the Middle Way (MMK)"),
    ("What distances between clusters does agglomerative clustering use?", "hierarchical clustering"),
    ("When do ensemble methods work?", "Ensemble method"),
    ("What unit does the link layer send?", "Link Layer"),
    ("Is Sandglass permissionless?", "Sandglass"),
    ("Does Sidetree allow ids to be transferred?", "Sidetree"),
    ("What did I write about my failures?", "a-failure-resume"),
    ("What happened in 2021?", "2021"),
    ("What is the shifting range of ideas that the public accepts called?", "Overton Window"),
    ("From which islands does the idea of cargo culting come?", "cargo culting"),
    ("Who wrote the book of which hackers pursue projects for pleasure?", "hackathons"),
    ("What is the capital of Mongolia?", ""),
    ("When did Ada Lovelace die?", ""),
    ("Who won the world cup in 1998?", ""),
    ("How much does a litre of milk cost?", ""),
)

CHINESE_LISTED = (
    ("光环效应是什么？", "光环效应"),
    ("What is 光环效应?", "光环效应"),
    ("谁提出了精致的利己主义者？", "精致的利己主义者"),
    ("三分化每天练几个肌群？", "三分化与五分化"),
    ("五分化怎么安排训练？", "三分化与五分化"),
    ("嘴巴呼吸有什么坏处？", "鼻子呼吸"),
    ("认知失调是什么意思？", "认知协调"),
    ("安慰剂按钮的实验说明什么？", "控制错觉"),
    ("为什么会觉得飞机失事的概率很高？", "现成偏误"),
    ("团队重组的潜规则是什么？", "团队重组"),
    ("PPV和PARA有什么不同？", "PPV"),
    ("如何说话让别人觉得你是专家？", "如何表达能让人觉得你是专家"),
    ("Who directed 心灵捕手?", "心灵捕手"),
    ("心灵捕手的导演是谁？", "心灵捕手"),
    ("When was 心灵捕手 published?", "心灵捕手"),
    ("82年生的金智英是哪一年上映的？", "82年生的金智英82"),
    ("何以笙箫默的作者是谁？", "何以笙箫默-顾漫"),
    ("Who is the author of 必然（KK三部曲·展望）-凯文·凯利?", "必然（KK三部曲·展望）-凯文·凯利"),
    ("哪个出版社出版了安静：内向性格的竞争力？", "安静：内向性格的竞争力-苏珊·凯恩"),
    ("kube-proxy 支持哪些实现？", "kube-proxy"),
    ("What does kube-proxy listen to?", "kube-proxy"),
    ("油猴脚本怎么备份？", "油猴脚本 - tempermonkey"),
    ("git hook 的脚本放在哪里？", "git hook"),
    ("张力", "张力"),
    ("有闲阶级和劳动阶级有什么不同？", "有闲阶级"),
    ("How do I use Roam Research for free?", "Roam Research"),
    ("蒙古的首都在哪里？", ""),
    ("谁赢了1998年的世界杯？", ""),
    ("What is the phone number of 马伯庸?", ""),
    ("格斯·范·桑特的妻子是谁？", ""),
)

FRESH = (
    Question("Who did Elizabeth Marsh recommend a book to?", "People/Elizabeth Marsh.md:13", ("me",)),
    Question("Which wine did I taste with Chen Wei?", "Notes/Tasting log.md:10", ("Pierre Rouge",)),
    Question("Who built a bench in the garden?", "Daily/2025-03-15.md:9", ("Lukas",)),
    Question("Where does Bob Keane work?", "People/Bob Keane.md:6", ("Tonnellerie Amblard",)),
    Question("What did I prefer over planes?", "Daily/2026-03-09.md:7", ("trains",)),
    Question("Who is the doctor that won?", "Daily/2024-05-14.md:7", ("Maud Girard",)),
    Question("When did Inès Caron retire?", "Organizations/Institut Garonne.md:16", ("2025-06|June 2025",)),
    Question("How many hectares does Château Sud have?", "Organizations/Château Sud.md:11", (r"18\.5",)),
    Question("Who came from Yinchuan?", "Daily/2024-10-08.md:9", ("Chen Wei|She",)),
    Question("Where did Tomás meet Clara?", "People/Tomás Duarte.md:15", ("ferry",)),
    Question("Who worked at Studio Kessel in 2018?", "People/Clara Duarte.md:12", ("Clara",)),
    Question("Did Mira win an award?", "People/Mira.md:17", ("Cuvée of the Year",)),
    Question("Does Agnès Morel direct Laboratoire Rivelle?", "Organizations/Laboratoire Rivelle.md:11", ("^Yes",)),
    Question("Is Château Nord owned by the Perrault family?", "Organizations/Château Nord.md:7", ("^Yes",)),
    Question("Where does the manager of Priya work?", "no note says where Agnès works", ("Rivelle|" + _DECLINED[0],)),
    Question("In which city does the owner of Café Zénith live?", "no note says so", _DECLINED, ("^Élodie .* lives",)),
    Question("When did I move to Bordeaux?", "People/Nora Feldt.md:11", ("2024-03|March 2024|Friday",)),
    Question("Is Robert Keane the brother of Bob Keane?", "no note says so", _DECLINED, ("^Yes",)),
    Question("What is Marc Delmas's role?", "Organizations/Institut Garonne.md:16", ("director",)),
    Question("Did I join the committee of the choir?", "Daily/2024-10-08.md:7", ("not|Nothing",), ("^Yes",)),
)
"""Twenty more over the sample vault, written after most of that was mended, and asked once."""

LAST = (
    Question("Who publishes the book about cellars?", "Projects/Cellar Atlas.md:8", ("Halden Press",)),
    Question("When did Lukas Brandt move to Copenhagen?", "People/Lukas Brandt.md:13", ("2025-02",)),
    Question("What is Anna Berg's job at Korn Labs?", "Work/Anna Berg.md:8", ("account manager",), ("nurse",)),
    Question("Who teaches at Haga School?", "People/Sofia Feldt.md:7", ("Sofia",)),
    Question("How many cellars will the Cellar Atlas have?", "Projects/Cellar Atlas.md:12", ("twenty|20|Twenty",)),
    Question("Since when does Julien Perrault run the cellar?", "Organizations/Château Nord.md:15", ("2023",)),
    Question(
        "Which organization does Laboratoire Rivelle belong to?", "Laboratoire Rivelle.md:14", ("Fondation Morel",)
    ),
    Question("Who did Clara marry?", "People/Clara Duarte.md:20", ("Tomás",)),
    Question("Where was I born?", "People/Nora Feldt.md:7", ("Gothenburg",)),
    Question("How old is Sofia?", "People/Sofia Feldt.md:5", ("1991",)),
    Question("Who is Elizabeth Marsh's employer?", "People/Elizabeth Marsh.md:6", ("Halden Press",)),
    Question("What does Vinterra sell?", "Organizations/Vinterra.md:11", ("dried yeast",)),
    Question("Is Robert Keane older than Anna Berg?", "no note says so", _DECLINED, ("^Yes",)),
    Question("Did Sofia and Lukas Falk divorce?", "no note says so", _DECLINED, ("^Yes",)),
    Question("Where did I live before Bordeaux?", "People/Nora Feldt.md:10", ("Lyon",)),
    Question("Who are the partners of the Wild Yeast Survey?", "Projects/Wild Yeast Survey.md:8", ("Vinterra", "Sud")),
    Question(
        "Who wrote Letters from the Quay and who gave it to me?", "Books/Letters from the Quay.md", ("Osei", "Clara")
    ),
    Question(
        "Does Inès Caron still work at Institut Garonne?", "Institut Garonne.md:16: retired", _DECLINED, ("^Yes",)
    ),
    Question("What do I know about yeast strains?", "Projects/Wild Yeast Survey.md:32", ("strain",)),
    Question("Why did I stop drinking coffee?", "Daily/2024-05-14.md:7", ("doctor|coffee",)),
)
"""Twenty more, written later still, and asked once."""
