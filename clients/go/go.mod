module daric

go 1.21
