from shared import Story, check_equal, cron_job, names_of


def pages(story: Story) -> None:
    names = [f"page-{index:02}" for index in range(25)]
    for name in names:
        story.batch.create_namespaced_cron_job(story.namespace, cron_job(name, labels={"set": "pages"}))

    read = []
    token = None
    while token is None or token != "":
        page = story.batch.list_namespaced_cron_job(story.namespace, label_selector="set=pages", limit=10, _continue=token)
        read.append(page)
        token = page.metadata._continue or ""

    check_equal([len(page.items) for page in read], [10, 10, 5])
    check_equal([name for page in read for name in names_of(page)], names)
    check_equal(len({page.metadata.resource_version for page in read}), 1)
